// Elementwise library functions.
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "ir/library.hpp"
#include "ir/typing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <optional>

namespace vr::interp {

namespace {

using ir::BroadcastMode;
using Complex = std::complex<double>;
using RealFn = double (*)(double);
using ComplexFn = Complex (*)(const Complex&);

Complex complex_of(const Scalar& v) { return {v.real_part(), v.imag_part()}; }
Scalar from_complex(const Complex& z, Elem e) { return Scalar::complex_of(z.real(), z.imag(), e); }

Complex log2_of(const Complex& z) { return std::log(z) / M_LN2; }
Complex log1p_of(const Complex& z) {
  // log|1+z| without cancellation where it is near 0; elsewhere the sum would cancel.
  const double x = z.real(), y = z.imag(), size = x * (2 + x) + y * y;
  return {std::abs(size) < 0.5 ? 0.5 * std::log1p(size) : std::log(std::hypot(1 + x, y)), std::arg(1.0 + z)};
}
Complex expm1_of(const Complex& z) {
  const double e = std::expm1(z.real()), s = std::sin(z.imag() / 2);
  return {e * std::cos(z.imag()) - 2 * s * s, (e + 1) * std::sin(z.imag())};
}

struct MapFn {
  const char* name;
  RealFn real;
  ComplexFn complex;  ///< null: real only
};
const MapFn float_maps[] = {
    {"sqrt", std::sqrt, [](const Complex& z) { return std::sqrt(z); }},
    {"exp", std::exp, [](const Complex& z) { return std::exp(z); }},
    {"expm1", std::expm1, expm1_of},
    {"log", std::log, [](const Complex& z) { return std::log(z); }},
    {"log2", std::log2, log2_of},
    {"log10", std::log10, [](const Complex& z) { return std::log10(z); }},
    {"log1p", std::log1p, log1p_of},
    {"sin", std::sin, [](const Complex& z) { return std::sin(z); }},
    {"cos", std::cos, [](const Complex& z) { return std::cos(z); }},
    {"tan", std::tan, [](const Complex& z) { return std::tan(z); }},
    {"asin", std::asin, [](const Complex& z) { return std::asin(z); }},
    {"acos", std::acos, [](const Complex& z) { return std::acos(z); }},
    {"atan", std::atan, [](const Complex& z) { return std::atan(z); }},
    {"sinh", std::sinh, [](const Complex& z) { return std::sinh(z); }},
    {"cosh", std::cosh, [](const Complex& z) { return std::cosh(z); }},
    {"tanh", std::tanh, [](const Complex& z) { return std::tanh(z); }},
    {"erf", std::erf, nullptr},
};
const MapFn roundings[] = {{"floor", std::floor, nullptr},
                           {"ceil", std::ceil, nullptr},
                           {"round", std::round, nullptr},
                           {"fix", std::trunc, nullptr}};

Elem floating(Elem e) { return ir::is_float(e) ? e : Elem::Float64; }

Scalar absolute(const Scalar& v) {
  if (v.complex) {
    const double r = std::hypot(v.real_part(), v.imag_part());
    return Scalar::real(v.floating() ? r : std::trunc(r), v.elem);
  }
  if (v.floating()) return Scalar::real(std::abs(v.re.f), v.elem);
  return v.re.i < 0 ? convert(negate(v), v.elem, false) : v;
}

Scalar sign(const Scalar& v) {
  if (v.complex) {
    const Complex z = complex_of(v);
    const double r = std::abs(z);
    if (std::isinf(r)) {  // the direction of an infinite part; two of them have none
      if (std::isinf(z.real()) && std::isinf(z.imag())) return from_complex({NAN, NAN}, v.elem);
      const bool along = std::isinf(z.real());
      const double one = std::copysign(1.0, along ? z.real() : z.imag());
      return from_complex(along ? Complex{one, 0} : Complex{0, one}, v.elem);
    }
    return from_complex(r == 0 ? Complex{} : z / r, v.elem);
  }
  if (!v.floating()) return Scalar::integer((v.re.i > 0) - (v.re.i < 0), v.elem);
  return std::isnan(v.re.f) ? v : Scalar::real((v.re.f > 0) - (v.re.f < 0), v.elem);
}

Scalar conjugate(Scalar v) {
  if (v.complex && v.elem != Elem::Bool) v.im = negate(v.im_scalar()).re;  // 1 has no negative among truth values
  return v;
}

template <class F>
Datum test(const LibraryCall& c, F f) {
  return map(c.ctx, c.args[0], ir::Type::scalar(Elem::Bool), c.layout(),
             [f](const Scalar& v) { return Scalar::boolean(f(v.real_part(), v.imag_part())); });
}

}  // namespace

Datum library_map(const LibraryCall& c) {
  const ir::Type t = element_type(c.args[0], "the argument");
  auto apply = [&](Elem e, bool complex, const std::function<Scalar(const Scalar&)>& f) {
    return map(c.ctx, c.args[0], ir::Type::scalar(e, complex), c.layout(), f);
  };
  auto real_only = [&] { fail(Code::Type, fmt::format("'{}' has no meaning for complex numbers", c.name)); };
  const Elem e = floating(t.elem);
  for (const MapFn& m : float_maps) {
    if (!c.is(m.name)) continue;
    if (!t.complex) return apply(e, false, [&, e](const Scalar& v) { return Scalar::real(m.real(v.real_part()), e); });
    if (!m.complex) real_only();
    return apply(e, true, [&, e](const Scalar& v) { return from_complex(m.complex(complex_of(v)), e); });
  }
  for (const MapFn& m : roundings) {
    if (!c.is(m.name)) continue;
    if (t.complex) real_only();
    return apply(t.elem, false,
                 [&](const Scalar& v) { return v.floating() ? Scalar::real(m.real(v.re.f), v.elem) : v; });
  }
  if (c.is("abs")) return apply(t.elem, false, absolute);
  if (c.is("sign")) return apply(t.elem, t.complex, sign);
  if (c.is("conj")) return apply(t.elem, t.complex, conjugate);
  if (c.is("real")) return apply(t.elem, false, [](const Scalar& v) { return v.re_scalar(); });
  if (c.is("imag")) return apply(t.elem, false, [](const Scalar& v) { return v.im_scalar(); });
  if (c.is("angle"))
    return apply(e, false, [e](const Scalar& v) { return Scalar::real(std::atan2(v.imag_part(), v.real_part()), e); });
  if (c.is("isnan")) return test(c, [](double re, double im) { return std::isnan(re) || std::isnan(im); });
  if (c.is("isinf")) return test(c, [](double re, double im) { return std::isinf(re) || std::isinf(im); });
  if (c.is("isfinite")) return test(c, [](double re, double im) { return std::isfinite(re) && std::isfinite(im); });
  fail(Code::Unsupported, fmt::format("the interpreter has no '{}'", c.name));
}

namespace {

/// Integer power by squaring, wrapping. A negative exponent gives 0, but for the bases 1 and -1.
Scalar integer_power(const Scalar& base, int64_t exponent) {
  const Elem e = base.elem;
  if (exponent < 0) {
    if (base.re.i == 1) return base;
    if (base.re.i == -1) return Scalar::integer(exponent % 2 ? -1 : 1, e);
    return Scalar::integer(0, e);
  }
  Scalar r = Scalar::integer(1, e), b = base;
  const ir::Type t = ir::Type::scalar(e);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2) r = binary(ir::Kind::Mult, r, b, t);
    b = binary(ir::Kind::Mult, b, b, t);
  }
  return r;
}

/// The product as VRIR defines it; C++'s own turns some NaN into infinities.
Complex product(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Scalar complex_power(const Scalar& a, const Scalar& b, Elem e, bool matlab) {
  const Complex z = complex_of(a), w = complex_of(b);
  if (w == Complex{}) return from_complex(1, e);
  if (z == Complex{}) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    if (w.real() > 0) return from_complex(0, e);
    return from_complex({matlab && w.real() < 0 ? inf : nan, nan}, e);
  }
  if (auto n = integral(b); n && *n >= -1024 && *n <= 1024) {
    // Small integer powers by multiplication, as exact as they can be.
    const ir::Type t = ir::Type::scalar(Elem::Float64, true);
    Complex r, p = z;
    if (*n < 0) p = complex_of(binary(ir::Kind::Div, from_complex(1, t.elem), from_complex(z, t.elem), t));
    bool started = false;  // the first factor as it is: a product with 1 + 0i makes NaN of infinities
    for (int64_t k = std::abs(*n); k > 0; k /= 2) {
      if (k % 2) r = started ? product(r, p) : p;
      started = started || k % 2;
      p = product(p, p);
    }
    return from_complex(r, e);
  }
  const Complex log_z(std::log(std::hypot(z.real(), z.imag())), std::arg(z));
  return from_complex(std::exp(product(log_z, w)), e);
}

}  // namespace

Datum library_arith(const LibraryCall& c) {
  const Datum &a = c.args[0], &b = c.args[1];
  static constexpr std::pair<const char*, ir::Kind> operators[] = {{"libplus", ir::Kind::Plus},
                                                                   {"libminus", ir::Kind::Minus},
                                                                   {"libmult", ir::Kind::Mult},
                                                                   {"libdiv", ir::Kind::Div}};
  for (const auto& [name, kind] : operators)
    if (c.is(name)) return apply_binary(c.ctx, kind, a, b, c.stated);

  const ir::Type x = element_type(a, "the first argument"), y = element_type(b, "the second argument");
  const bool complex = x.complex || y.complex;
  Elem e = ir::common_elem(x.elem, y.elem);
  if (e == Elem::Bool) e = Elem::Int32;
  auto apply = [&](Elem elem, const std::function<Scalar(const Scalar&, const Scalar&)>& f) {
    return map(c.ctx, a, b, ir::Type::scalar(elem, complex), c.layout(), f);
  };
  if (c.is("pow")) {
    if (ir::is_float(c.stated.elem) && c.stated.is_numeric()) e = floating(e);
    if (complex) {
      e = floating(e);
      return apply(e, [e, &c](const Scalar& p, const Scalar& q) { return complex_power(p, q, e, c.matlab()); });
    }
    if (!ir::is_float(e))
      return apply(e, [e](const Scalar& p, const Scalar& q) { return integer_power(convert(p, e, false), q.re.i); });
    return apply(e, [e](const Scalar& p, const Scalar& q) {
      return Scalar::real(std::pow(convert(p, e, false).re.f, convert(q, e, false).re.f), e);
    });
  }
  if (complex) fail(Code::Type, fmt::format("'{}' has no meaning for complex numbers", c.name));
  if (c.is("atan2") || c.is("hypot")) {
    e = floating(e);
    double (*fn)(double, double) = c.is("atan2") ? static_cast<double (*)(double, double)>(std::atan2)
                                                 : static_cast<double (*)(double, double)>(std::hypot);
    return apply(e, [e, fn](const Scalar& p, const Scalar& q) {
      return Scalar::real(fn(convert(p, e, false).re.f, convert(q, e, false).re.f), e);
    });
  }
  if (c.is("min2") || c.is("max2")) {
    const bool omit = c.conv().nan == ir::NanMode::Omit;
    const ir::Kind better = c.is("min2") ? ir::Kind::Lt : ir::Kind::Gt;
    return apply(e, [=](const Scalar& p0, const Scalar& q0) {
      const Scalar p = convert(p0, e, false), q = convert(q0, e, false);
      if (p.floating() && std::isnan(p.re.f)) return omit ? q : p;
      if (q.floating() && std::isnan(q.re.f)) return omit ? p : q;
      return truth(binary(better, q, p, ir::Type::scalar(Elem::Bool))) ? q : p;
    });
  }
  if (c.is("mod") || c.is("rem")) {
    const bool mod = c.is("mod"), matlab = c.matlab();
    return apply(e, [=](const Scalar& p, const Scalar& q) { return remainder(p, q, mod, matlab); });
  }
  if (c.is("bitand") || c.is("bitor") || c.is("bitxor")) {
    return apply(e, [e, &c](const Scalar& p, const Scalar& q) {
      const int64_t x = convert(p, e, false).re.i, y = convert(q, e, false).re.i;
      return Scalar::integer(c.is("bitand") ? x & y : c.is("bitor") ? x | y : x ^ y, e);
    });
  }
  fail(Code::Unsupported, fmt::format("the interpreter has no '{}'", c.name));
}

Datum library_select(const LibraryCall& c) {
  const ir::Type x = element_type(c.args[1], "the second argument"), y = element_type(c.args[2], "the third argument");
  const ir::Type t = ir::Type::scalar(ir::common_elem(x.elem, y.elem), x.complex || y.complex);
  auto value = [&](const Scalar& test, const Scalar& yes, const Scalar& no) {
    return convert(truth(test) ? yes : no, t);
  };
  const BroadcastMode mode = c.conv().broadcast;
  std::optional<Extents> extents;
  for (const Datum& d : c.args)
    if (const ArrayRef* a = d.array()) extents = extents ? broadcast(*extents, a->extents(), mode) : a->extents();
  if (!extents) return value(*c.args[0].scalar(), *c.args[1].scalar(), *c.args[2].scalar());
  ArrayRef r = make_array(c.ctx, t.elem, t.complex, *extents, c.layout());
  Extents at;
  auto operand = [&](const Datum& d, const Extents& i) {
    if (const Scalar* s = d.scalar()) return *s;
    broadcast_index(i, d.array()->array.extents(), mode, at);
    return d.array()->at(at);
  };
  for_each_index(*extents, Order::Row, [&](const Extents& i) {
    r.put(i, value(operand(c.args[0], i), operand(c.args[1], i), operand(c.args[2], i)));
  });
  return r;
}

}  // namespace vr::interp
