#include "interp/arithmetic.hpp"

#include "interp/fault.hpp"
#include "ir/typing.hpp"

#include <cmath>
#include <limits>

namespace vr::interp {

using ir::Kind;

namespace {

bool is_arithmetic(Kind k) { return k == Kind::Plus || k == Kind::Minus || k == Kind::Mult || k == Kind::Div; }

/// Computed in uint64, whose low bits are the result for narrower types; quotients in type e.
int64_t integer_op(Kind k, int64_t a, int64_t b, Elem e) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (k) {
    case Kind::Plus:
      return static_cast<int64_t>(x + y);
    case Kind::Minus:
      return static_cast<int64_t>(x - y);
    case Kind::Mult:
      return static_cast<int64_t>(x * y);
    default:
      break;
  }
  if (b == 0) fail(Code::DivByZero, "integer division by zero");
  return ir::int_quotient(a, b, e);
}

template <class T>
T float_op(Kind k, T a, T b) {
  switch (k) {
    case Kind::Plus:
      return a + b;
    case Kind::Minus:
      return a - b;
    case Kind::Mult:
      return a * b;
    default:
      return a / b;
  }
}

/// Complex operation in T, every step rounded to T. The division is Smith's: scaling by the divisor's larger part keeps
/// intermediate results from overflowing. For the divisor 0, each part is divided by +0, as in NumPy.
template <class T>
void complex_op(Kind k, T ar, T ai, T br, T bi, T& re, T& im) {
  switch (k) {
    case Kind::Plus:
      re = ar + br;
      im = ai + bi;
      return;
    case Kind::Minus:
      re = ar - br;
      im = ai - bi;
      return;
    case Kind::Mult: {
      T p = ar * br, q = ai * bi, r = ar * bi, s = ai * br;
      re = p - q;
      im = r + s;
      return;
    }
    default:
      break;
  }
  if (br == 0 && bi == 0) {
    re = ar / std::abs(br);
    im = ai / std::abs(br);
  } else if (std::abs(br) < std::abs(bi)) {
    T r = br / bi, t = br * r, den = bi + t;
    T p = ar * r, q = ai * r;
    re = (p + ai) / den;
    im = (q - ar) / den;
  } else {
    T r = bi / br, t = bi * r, den = br + t;
    T p = ai * r, q = ar * r;
    re = (ar + p) / den;
    im = (ai - q) / den;
  }
}

Scalar complex_binary(Kind k, const Scalar& a, const Scalar& b) {
  Scalar r = Scalar::zero(a.elem, true);
  if (a.elem == Elem::Float64) {
    complex_op(k, a.re.f, a.im.f, b.re.f, b.im.f, r.re.f, r.im.f);
  } else if (a.elem == Elem::Float32) {
    float re, im;
    complex_op(k, float(a.re.f), float(a.im.f), float(b.re.f), float(b.im.f), re, im);
    r.re.f = re;
    r.im.f = im;
  } else if (k == Kind::Div) {
    if (!truth(b)) fail(Code::DivByZero, "integer division by zero");
    return convert(complex_binary(k, convert(a, Elem::Float64, true), convert(b, Elem::Float64, true)), a.elem, true);
  } else {
    auto op = [&](Kind kind, int64_t x, int64_t y) { return integer_op(kind, x, y, a.elem); };
    int64_t re, im;
    if (k == Kind::Mult) {
      re = op(Kind::Minus, op(k, a.re.i, b.re.i), op(k, a.im.i, b.im.i));
      im = op(Kind::Plus, op(k, a.re.i, b.im.i), op(k, a.im.i, b.re.i));
    } else {
      re = op(k, a.re.i, b.re.i);
      im = op(k, a.im.i, b.im.i);
    }
    return convert(
        [&] {
          Scalar wide = Scalar::zero(Elem::Int64, true);
          wide.re.i = re;
          wide.im.i = im;
          return wide;
        }(),
        a.elem, true);
  }
  return r;
}

Scalar arithmetic(Kind k, const Scalar& a, const Scalar& b) {
  if (a.complex) return complex_binary(k, a, b);
  if (a.elem == Elem::Float64) return Scalar::real(float_op(k, a.re.f, b.re.f));
  if (a.elem == Elem::Float32) return Scalar::real(float_op(k, float(a.re.f), float(b.re.f)), Elem::Float32);
  return Scalar::integer(integer_op(k, a.re.i, b.re.i, a.elem), a.elem);
}

bool comparison(Kind k, const Scalar& a, const Scalar& b) {
  auto part = [&](Part x, Part y) {
    if (a.floating()) return ir::compare(k, x.f, y.f);
    return ir::with_integer(x.i, a.elem, [&](auto p) { return ir::compare(k, p, static_cast<decltype(p)>(y.i)); });
  };
  bool re = part(a.re, b.re);
  if (!a.complex) return re;
  if (k == Kind::Eq) return re && part(a.im, b.im);
  if (k == Kind::Neq) return re || part(a.im, b.im);
  return re;
}

}  // namespace

ir::Type operation_type(Kind kind, const ir::Type& a, const ir::Type& b, const ir::Type& stated) {
  if (!is_arithmetic(kind)) return ir::Type::scalar(Elem::Bool);
  Elem e = ir::common_elem(a.elem, b.elem);
  if (e == Elem::Bool) e = Elem::Int32;
  if (kind == Kind::Div && !ir::is_float(e) && stated.is_numeric() && ir::is_float(stated.elem)) e = stated.elem;
  return ir::Type::scalar(e, a.complex || b.complex);
}

Scalar binary(Kind kind, const Scalar& a, const Scalar& b, const ir::Type& stated) {
  if (kind == Kind::And) return Scalar::boolean(truth(a) && truth(b));
  if (kind == Kind::Or) return Scalar::boolean(truth(a) || truth(b));
  if (is_arithmetic(kind)) {
    const ir::Type t = operation_type(kind, type_of(a), type_of(b), stated);
    return arithmetic(kind, convert(a, t), convert(b, t));
  }
  const Elem e = ir::common_elem(a.elem, b.elem);
  const bool complex = a.complex || b.complex;
  return Scalar::boolean(comparison(kind, convert(a, e, complex), convert(b, e, complex)));
}

Scalar negate(const Scalar& v) {
  if (v.floating()) {
    Scalar r = v;
    r.re.f = -v.re.f;
    r.im.f = -v.im.f;
    return r;
  }
  const Elem e = v.elem == Elem::Bool ? Elem::Int32 : v.elem;
  Scalar x = convert(v, e, v.complex);
  Scalar wide = Scalar::zero(Elem::Int64, v.complex);
  wide.re.i = integer_op(Kind::Minus, 0, x.re.i, e);
  if (v.complex) wide.im.i = integer_op(Kind::Minus, 0, x.im.i, e);
  return convert(wide, e, v.complex);
}

namespace {
/// MATLAB's remainder x - y * n with n the quotient rounded down (mod) or toward zero (rem), every step rounded; it differs
/// from fmod for large quotients. If the quotient is an integer up to rounding the result is 0 (mod(0.3, 0.1)).
template <class T>
T by_quotient(T x, T y, bool mod) {
  const T q = x / y, nearest = std::round(q);
  const bool whole =
      std::round(y) != y && nearest != 0 && std::abs((q - nearest) / nearest) < std::numeric_limits<T>::epsilon();
  const T multiple = y * (mod ? std::floor(q) : std::trunc(q));
  const T r = whole ? T(0) : x - multiple;
  return x != y ? std::copysign(r, mod ? y : x) : r;
}
}  // namespace

Scalar remainder(const Scalar& a, const Scalar& b, bool mod, bool matlab) {
  Elem e = ir::common_elem(a.elem, b.elem);
  if (e == Elem::Bool) e = Elem::Int32;
  const Scalar x = convert(a, e, false), y = convert(b, e, false);
  if (!ir::is_float(e)) {
    if (y.re.i == 0) fail(Code::DivByZero, "integer remainder by zero");
    int64_t r = ir::int_remainder(x.re.i, y.re.i, e);
    if (mod && !ir::is_unsigned(e) && r != 0 && (r < 0) != (y.re.i < 0)) r += y.re.i;
    return Scalar::integer(r, e);
  }
  if (matlab && y.re.f == 0) return mod ? x : Scalar::real(std::numeric_limits<double>::quiet_NaN(), e);
  if (matlab && std::isfinite(y.re.f))
    return Scalar::real(e == Elem::Float32 ? by_quotient<float>(float(x.re.f), float(y.re.f), mod)
                                           : by_quotient<double>(x.re.f, y.re.f, mod),
                        e);
  double r = std::fmod(x.re.f, y.re.f);  // exact in double, and so also correct for float32
  if (mod && r == 0) r = std::copysign(0.0, y.re.f);
  if (mod && r != 0 && (r < 0) != (y.re.f < 0)) r += y.re.f;
  return Scalar::real(r, e);
}

}  // namespace vr::interp
