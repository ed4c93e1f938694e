// Elementwise library functions.
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "support/inverse_erf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <optional>

namespace vr::interp {

namespace {

using ir::BroadcastMode;
using ir::LibMap;
using Complex = std::complex<double>;
using RealFn = double (*)(double);
using ComplexFn = Complex (*)(const Complex&);

Complex complex_of(const Scalar& v) { return {v.real_part(), v.imag_part()}; }
Scalar from_complex(const Complex& z, Elem e) { return Scalar::complex_of(z.real(), z.imag(), e); }

Complex log2_of(const Complex& z) { return std::log(z) / M_LN2; }
Complex log1p_of(const Complex& z) {
  // log|1+z| without cancellation near 0; elsewhere the sum would cancel.
  const double x = z.real(), y = z.imag(), size = x * (2 + x) + y * y;
  return {std::abs(size) < 0.5 ? 0.5 * std::log1p(size) : std::log(1.0 + z).real(), std::arg(1.0 + z)};
}
Complex expm1_of(const Complex& z) {
  const double e = std::expm1(z.real()), s = std::sin(z.imag() / 2);
  return {e * std::cos(z.imag()) - 2 * s * s, (e + 1) * std::sin(z.imag())};
}

Elem floating(Elem e) { return ir::is_float(e) ? e : Elem::Float64; }

Scalar absolute(const Scalar& v) {
  if (v.complex) {
    const double r = std::hypot(v.real_part(), v.imag_part());
    return Scalar::real(v.floating() ? r : std::trunc(r), v.elem);
  }
  if (v.floating()) return Scalar::real(std::abs(v.re.f), v.elem);
  return v.re.i < 0 && !ir::is_unsigned(v.elem) ? convert(negate(v), v.elem, false) : v;
}

Scalar sign(const Scalar& v) {
  if (v.complex) {
    // Scaled, so that the magnitude neither overflows nor loses digits among subnormal numbers.
    Complex z = complex_of(v);
    const double size = std::max(std::abs(z.real()), std::abs(z.imag()));
    z *= size > 0x1p1020 ? 0x1p-4 : size < 0x1p-960 ? 0x1p60 : 1;
    const double r = std::abs(z);
    if (std::isinf(r)) {  // the direction of the infinite part; NaN if both parts are infinite
      if (std::isinf(z.real()) && std::isinf(z.imag())) return from_complex({NAN, NAN}, v.elem);
      const bool along = std::isinf(z.real());
      const double one = std::copysign(1.0, along ? z.real() : z.imag());
      return from_complex(along ? Complex{one, 0} : Complex{0, one}, v.elem);
    }
    return from_complex(r == 0 ? Complex{} : z / r, v.elem);
  }
  if (!v.floating()) return Scalar::integer(ir::with_integer(v.re.i, v.elem, [](auto i) { return (i > 0) - (i < 0); }), v.elem);
  return std::isnan(v.re.f) ? v : Scalar::real((v.re.f > 0) - (v.re.f < 0), v.elem);
}

Scalar conjugate(const Scalar& given) {
  Scalar v = given;
  if (v.complex && v.elem != Elem::Bool) v.im = negate(v.im_scalar()).re;  // 1 has no negative among truth values
  return v;
}

/// Integer power by squaring, wrapping. A negative exponent gives 0, except for the bases 1 and -1.
Scalar integer_power(const Scalar& base, int64_t exponent) {
  const Elem e = base.elem;
  if (e == Elem::UInt64) {
    Scalar r = Scalar::integer(1, e);
    uint64_t b = static_cast<uint64_t>(base.re.i), p = 1;
    for (auto left = static_cast<uint64_t>(exponent); left > 0; left /= 2, b *= b)
      if (left % 2) p *= b;
    r.re.i = static_cast<int64_t>(p);
    return r;
  }
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

/// The product as VRIR defines it; C++'s operator* turns some NaN into infinities.
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
    // Small integer powers by multiplication, for the best accuracy.
    const ir::Type t = ir::Type::scalar(Elem::Float64, true);
    Complex r, p = z;
    if (*n < 0) p = complex_of(binary(ir::Kind::Div, from_complex(1, t.elem), from_complex(z, t.elem), t));
    bool started = false;  // the first factor is copied: the product of an infinity with 1 + 0i contains NaN
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

[[noreturn]] void no_complex(const LibraryCall& c) {
  fail(Code::Type, fmt::format("'{}' has no meaning for complex numbers", c.fn.name));
}

Datum unary(const LibraryCall& c, const ir::Type& result, const std::function<Scalar(const Scalar&)>& f) {
  return map(c.ctx, c.args[0], result, c.layout(), f);
}

Datum maths(const LibraryCall& c, RealFn real, ComplexFn complex = nullptr) {
  const ir::Type t = element_type(c.args[0], "the argument");
  const Elem e = floating(t.elem);
  if (!t.complex)
    return unary(c, ir::Type::scalar(e), [&](const Scalar& v) { return Scalar::real(real(v.real_part()), e); });
  if (!complex) no_complex(c);
  return unary(c, ir::Type::scalar(e, true), [&](const Scalar& v) { return from_complex(complex(complex_of(v)), e); });
}

/// The arithmetic of support/inverse_erf.hpp.
struct Doubles {
  using F = double;
  static F f(double x) { return x; }
  static F keep(F x) { return x; }
  static F select(bool b, F x, F y) { return b ? x : y; }
  static F abs(F x) { return std::abs(x); }
  static F log(F x) { return std::log(x); }
  static F sqrt(F x) { return std::sqrt(x); }
  static F copysign(F size, F sign) { return std::copysign(size, sign); }
} doubles;

Datum rounding(const LibraryCall& c, RealFn f) {
  const ir::Type t = element_type(c.args[0], "the argument");
  if (t.complex) no_complex(c);
  return unary(c, ir::Type::scalar(t.elem),
               [&](const Scalar& v) { return v.floating() ? Scalar::real(f(v.re.f), v.elem) : v; });
}

template <class F>
Datum test(const LibraryCall& c, F f) {
  return unary(c, ir::Type::scalar(Elem::Bool),
               [f](const Scalar& v) { return Scalar::boolean(f(v.real_part(), v.imag_part())); });
}

/// Two operands, converted to the type in which arithmetic computes.
struct Pair {
  const LibraryCall& c;
  Elem e;
  bool complex;

  explicit Pair(const LibraryCall& call) : c(call) {
    const ir::Type x = element_type(c.args[0], "the first argument"),
                   y = element_type(c.args[1], "the second argument");
    complex = x.complex || y.complex;
    e = ir::common_elem(x.elem, y.elem);
    if (e == Elem::Bool) e = Elem::Int32;
    if (complex && c.fn.complex == ir::LibComplex::Refused) no_complex(c);
  }
  Datum apply(const std::function<Scalar(const Scalar&, const Scalar&)>& f) const {
    return map(c.ctx, c.args[0], c.args[1], ir::Type::scalar(e, complex), c.layout(), f);
  }
  Datum maths(double (*f)(double, double)) {
    e = floating(e);
    return apply([this, f](const Scalar& p, const Scalar& q) {
      return Scalar::real(f(convert(p, e, false).re.f, convert(q, e, false).re.f), e);
    });
  }
  template <class F>
  Datum integers(F f) const {
    return apply([this, f](const Scalar& p, const Scalar& q) {
      return Scalar::integer(f(convert(p, e, false).re.i, convert(q, e, false).re.i), e);
    });
  }
  /// Counts that are no numbers of bits leave zeros, or the sign of a signed number.
  Datum shifted(bool left) const {
    const ir::Elem type = e == ir::Elem::Bool ? ir::Elem::Int32 : e;
    return apply([type, left](const Scalar& p, const Scalar& q) {
      const int64_t v = convert(p, type, false).re.i, count = convert(q, type, false).re.i;
      const bool fits = count >= 0 && count < 8 * ir::elem_bytes(type), no_sign = ir::is_unsigned(type);
      if (left) return Scalar::integer(fits ? static_cast<int64_t>(static_cast<uint64_t>(v) << count) : 0, type);
      if (!fits) return Scalar::integer(v < 0 && !no_sign ? -1 : 0, type);
      return Scalar::integer(no_sign ? static_cast<int64_t>(static_cast<uint64_t>(v) >> count) : v >> count, type);
    });
  }
};

Datum power(const LibraryCall& c) {
  Pair p(c);
  if (ir::is_float(c.stated.elem) && c.stated.is_numeric()) p.e = floating(p.e);
  if (p.complex) {
    p.e = floating(p.e);
    return p.apply([&](const Scalar& a, const Scalar& b) { return complex_power(a, b, p.e, c.matlab()); });
  }
  if (ir::is_float(p.e)) return p.maths(std::pow);
  return p.apply([&](const Scalar& a, const Scalar& b) { return integer_power(convert(a, p.e, false), convert(b, p.e, false).re.i); });
}

Datum lesser_or_greater(const LibraryCall& c, ir::Kind better) {
  const Pair pair(c);
  const bool omit = c.conv().nan == ir::NanMode::Omit;
  return pair.apply([&](const Scalar& p0, const Scalar& q0) {
    const Scalar p = convert(p0, pair.e, false), q = convert(q0, pair.e, false);
    if (p.floating() && std::isnan(p.re.f)) return omit ? q : p;
    if (q.floating() && std::isnan(q.re.f)) return omit ? p : q;
    return truth(binary(better, q, p, ir::Type::scalar(Elem::Bool))) ? q : p;
  });
}

Datum remainders(const LibraryCall& c, bool mod) {
  return Pair(c).apply([&](const Scalar& p, const Scalar& q) { return remainder(p, q, mod, c.matlab()); });
}

Datum choice(const LibraryCall& c) {
  const ir::Type x = element_type(c.args[1], "the second argument"), y = element_type(c.args[2], "the third argument");
  const ir::Type t = ir::common_type(x, y);
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

}  // namespace

Datum library_map(const LibraryCall& c) {
  auto kept = [&](Scalar (*f)(const Scalar&)) {
    const ir::Type t = element_type(c.args[0], "the argument");
    return unary(c, ir::Type::scalar(t.elem, t.complex), f);
  };
  auto real = [&](Scalar (*f)(const Scalar&)) {
    return unary(c, ir::Type::scalar(element_type(c.args[0], "the argument").elem), f);
  };
  auto binary_operator = [&](ir::Kind k) { return apply_binary(c.ctx, k, c.args[0], c.args[1], c.stated); };
  switch (c.fn.map()) {
    case LibMap::Sqrt:
      return maths(c, std::sqrt, [](const Complex& z) { return std::sqrt(z); });
    case LibMap::Cbrt:
      return maths(c, std::cbrt);
    case LibMap::Exp:
      return maths(c, std::exp, [](const Complex& z) { return std::exp(z); });
    case LibMap::Expm1:
      return maths(c, std::expm1, expm1_of);
    case LibMap::Log:
      return maths(c, std::log, [](const Complex& z) { return std::log(z); });
    case LibMap::Log2:
      return maths(c, std::log2, log2_of);
    case LibMap::Log10:
      return maths(c, std::log10, [](const Complex& z) { return std::log10(z); });
    case LibMap::Log1p:
      return maths(c, std::log1p, log1p_of);
    case LibMap::Sin:
      return maths(c, std::sin, [](const Complex& z) { return std::sin(z); });
    case LibMap::Cos:
      return maths(c, std::cos, [](const Complex& z) { return std::cos(z); });
    case LibMap::Tan:
      return maths(c, std::tan, [](const Complex& z) { return std::tan(z); });
    case LibMap::Asin:
      return maths(c, std::asin, [](const Complex& z) { return std::asin(z); });
    case LibMap::Acos:
      return maths(c, std::acos, [](const Complex& z) { return std::acos(z); });
    case LibMap::Atan:
      return maths(c, std::atan, [](const Complex& z) { return std::atan(z); });
    case LibMap::Sinh:
      return maths(c, std::sinh, [](const Complex& z) { return std::sinh(z); });
    case LibMap::Cosh:
      return maths(c, std::cosh, [](const Complex& z) { return std::cosh(z); });
    case LibMap::Tanh:
      return maths(c, std::tanh, [](const Complex& z) { return std::tanh(z); });
    case LibMap::Asinh:
      return maths(c, std::asinh, [](const Complex& z) { return std::asinh(z); });
    case LibMap::Acosh:
      return maths(c, std::acosh, [](const Complex& z) { return std::acosh(z); });
    case LibMap::Atanh:
      return maths(c, std::atanh, [](const Complex& z) { return std::atanh(z); });
    case LibMap::Erf:
      return maths(c, std::erf);
    case LibMap::Erfc:
      return maths(c, std::erfc);
    case LibMap::Gamma:
      return maths(c, std::tgamma);
    case LibMap::Lgamma:
      return maths(c, std::lgamma);
    case LibMap::ErfInv:
      return maths(c, [](double y) { return InverseErf<Doubles>(doubles).of_erf(y); });
    case LibMap::ErfcInv:
      return maths(c, [](double y) { return InverseErf<Doubles>(doubles).of_erfc(y); });
    case LibMap::Floor:
      return rounding(c, std::floor);
    case LibMap::Ceil:
      return rounding(c, std::ceil);
    case LibMap::Round:
      return rounding(c, std::round);
    case LibMap::Rint:
      return rounding(c, std::nearbyint);
    case LibMap::Fix:
      return rounding(c, std::trunc);
    case LibMap::Abs:
      return real(absolute);
    case LibMap::Sign:
      return kept(sign);
    case LibMap::Conj:
      return kept(conjugate);
    case LibMap::Real:
      return real([](const Scalar& v) { return v.re_scalar(); });
    case LibMap::Imag:
      return real([](const Scalar& v) { return v.im_scalar(); });
    case LibMap::Angle: {
      const Elem e = floating(element_type(c.args[0], "the argument").elem);
      return unary(c, ir::Type::scalar(e),
                   [e](const Scalar& v) { return Scalar::real(std::atan2(v.imag_part(), v.real_part()), e); });
    }
    case LibMap::IsNan:
      return test(c, [](double re, double im) { return std::isnan(re) || std::isnan(im); });
    case LibMap::IsInf:
      return test(c, [](double re, double im) { return std::isinf(re) || std::isinf(im); });
    case LibMap::IsFinite:
      return test(c, [](double re, double im) { return std::isfinite(re) && std::isfinite(im); });
    case LibMap::Plus:
      return binary_operator(ir::Kind::Plus);
    case LibMap::Minus:
      return binary_operator(ir::Kind::Minus);
    case LibMap::Mult:
      return binary_operator(ir::Kind::Mult);
    case LibMap::Div:
      return binary_operator(ir::Kind::Div);
    case LibMap::Atan2:
      return Pair(c).maths(std::atan2);
    case LibMap::Hypot:
      return Pair(c).maths(std::hypot);
    case LibMap::Pow:
      return power(c);
    case LibMap::Min2:
      return lesser_or_greater(c, ir::Kind::Lt);
    case LibMap::Max2:
      return lesser_or_greater(c, ir::Kind::Gt);
    case LibMap::Mod:
      return remainders(c, true);
    case LibMap::Rem:
      return remainders(c, false);
    case LibMap::BitAnd:
      return Pair(c).integers(std::bit_and<int64_t>());
    case LibMap::BitOr:
      return Pair(c).integers(std::bit_or<int64_t>());
    case LibMap::BitXor:
      return Pair(c).integers(std::bit_xor<int64_t>());
    case LibMap::BitCount: {
      const ir::Elem t = element_type(c.args[0], "the argument").elem, type = t == ir::Elem::Bool ? ir::Elem::Int32 : t;
      return unary(c, ir::Type::scalar(type), [type](const Scalar& v) {
        const int64_t bits = convert(v, type, false).re.i;
        const bool negative = bits < 0 && !ir::is_unsigned(type);
        return Scalar::integer(
            std::popcount(negative ? uint64_t{0} - static_cast<uint64_t>(bits) : static_cast<uint64_t>(bits)), type);
      });
    }
    case LibMap::ShiftLeft:
      return Pair(c).shifted(true);
    case LibMap::ShiftRight:
      return Pair(c).shifted(false);
    case LibMap::AddSat:
    case LibMap::SubSat:
    case LibMap::MulSat:
    case LibMap::DivSat:
    case LibMap::AbsSat:
    case LibMap::CastSat:
    case LibMap::AddCheck:
    case LibMap::SubCheck:
    case LibMap::MulCheck:
    case LibMap::DivCheck:
    case LibMap::AbsCheck:
    case LibMap::CastCheck:
      return library_overflow(c);
    case LibMap::Where:
      return choice(c);
    case LibMap::RandomBits:
    case LibMap::RandomUniform:
    case LibMap::RandomInteger:
    case LibMap::RandomNormal:
    case LibMap::RandomExponential:
    case LibMap::RandomGamma:
      return library_random(c);
  }
  fail(Code::Unsupported, fmt::format("the interpreter has no '{}'", c.fn.name));
}

}  // namespace vr::interp
