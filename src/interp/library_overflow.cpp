// Integer arithmetic that saturates or reports overflow, on 128-bit integers: every exact result of two 64-bit operands
// fits.
#include "interp/elementwise.hpp"
#include "interp/fault.hpp"
#include "interp/library.hpp"
#include "ir/library.hpp"

#include <algorithm>
#include <cmath>

namespace vr::interp {

namespace {

using ir::LibMap;
__extension__ using Wide = __int128;

Wide wide(int64_t bits, Elem e) {
  return ir::with_integer(bits, e, [](auto v) { return static_cast<Wide>(v); });
}

/// The exact result, converted to type e.
Scalar fitted(Wide v, Elem e, bool saturates) {
  const ir::IntLimits limits = ir::int_limits(e);
  const Wide r = std::clamp(v, wide(limits.least, e), wide(limits.most, e));
  if (r != v && !saturates) fail(Code::Overflow, "integer overflow");
  Scalar s = Scalar::zero(e);
  s.re.i = static_cast<int64_t>(r);
  return s;
}

/// Rounded to nearest, halves away from zero; for the divisor 0, a number beyond the limits.
Wide nearest_quotient(Wide a, Wide b) {
  if (b == 0) return a == 0 ? 0 : a > 0 ? Wide{1} << 100 : -(Wide{1} << 100);
  const Wide q = a / b, r = a % b;
  const Wide size = r < 0 ? -r : r, divisor = b < 0 ? -b : b;
  if (2 * size < divisor) return q;
  return (a < 0) == (b < 0) ? q + 1 : q - 1;
}

Wide quotient(Wide a, Wide b) {
  if (b == 0) fail(Code::DivByZero, "integer division by zero");
  return a / b;
}

Scalar cast(const Scalar& v, Elem to, bool saturates) {
  if (ir::is_float(to) || to == Elem::Bool || v.elem == Elem::Bool) return convert(v, to, false);
  if (!v.floating()) return fitted(wide(v.re.i, v.elem), to, saturates);
  if (saturates) return convert(Scalar::real(std::round(v.re.f)), to, false);
  // Beyond 2^65 a number is out of range of every type, as are infinities and NaN.
  if (!(std::abs(v.re.f) < 0x1p65)) fail(Code::Overflow, "integer overflow");
  return fitted(static_cast<Wide>(v.re.f), to, false);
}

Elem arithmetic(Elem e) { return e == Elem::Bool ? Elem::Int32 : e; }

}  // namespace

Datum library_overflow(const LibraryCall& c) {
  const LibMap fn = c.fn.map();
  const bool saturates = !c.fn.checks_overflow();
  const ir::Type x = element_type(c.args[0], "the first argument");
  if (x.complex) fail(Code::Type, "overflow of complex numbers");
  if (fn == LibMap::CastSat || fn == LibMap::CastCheck) {
    const Elem to = c.stated.is_numeric() ? c.stated.elem : Elem::Float64;
    return map(c.ctx, c.args[0], ir::Type::scalar(to), c.layout(),
               [=](const Scalar& v) { return cast(v, to, saturates); });
  }
  if (fn == LibMap::AbsSat || fn == LibMap::AbsCheck) {
    const Elem e = arithmetic(x.elem);
    return map(c.ctx, c.args[0], ir::Type::scalar(e), c.layout(), [=](const Scalar& v) {
      if (v.floating()) return Scalar::real(std::abs(v.re.f), e);
      const Wide n = wide(v.re.i, v.elem);
      return fitted(n < 0 ? -n : n, e, saturates);
    });
  }
  const ir::Type y = element_type(c.args[1], "the second argument");
  const Elem e = arithmetic(ir::common_elem(x.elem, y.elem));
  if (y.complex || ir::is_float(e)) fail(Code::Type, "overflow of numbers that are not integers");
  return map(c.ctx, c.args[0], c.args[1], ir::Type::scalar(e), c.layout(), [=](const Scalar& p, const Scalar& q) {
    const Wide a = wide(p.re.i, p.elem), b = wide(q.re.i, q.elem);
    switch (fn) {
      case LibMap::AddSat:
      case LibMap::AddCheck:
        return fitted(a + b, e, saturates);
      case LibMap::SubSat:
      case LibMap::SubCheck:
        return fitted(a - b, e, saturates);
      case LibMap::MulSat:
      case LibMap::MulCheck: {
        // The product of two uint64 may need all 128 bits, where it would be negative.
        Wide r;
        if (__builtin_mul_overflow(a, b, &r)) r = Wide{1} << 100;
        return fitted(r, e, saturates);
      }
      case LibMap::DivSat:
        return fitted(nearest_quotient(a, b), e, true);
      default:
        return fitted(quotient(a, b), e, false);
    }
  });
}

}  // namespace vr::interp
