// Saturating arithmetic is written as LLVM's and OpenCL's compilers recognise it: up to 32 bits it is computed in twice
// the width and clamped, which becomes a saturating instruction (vpaddsb ...) where there is one. 64 bits have no wider
// type.
#include "lower/overflow.hpp"

#include <cmath>

namespace vr::lower {

using ir::Elem;
using ir::LibMap;

namespace {

class Integers {
 public:
  Integers(Emitter& out, Elem elem) : out_(out), x_(out.x), elem_(elem), type_(scalar_of(elem)) {}

  ExprP sum(ExprP a, ExprP b, bool saturates) {
    return narrow() ? wide(Op::Add, a, b, saturates) : long_sum(a, b, saturates);
  }
  ExprP difference(ExprP a, ExprP b, bool saturates) {
    return narrow() ? wide(Op::Sub, a, b, saturates) : long_difference(a, b, saturates);
  }
  ExprP product(ExprP a, ExprP b, bool saturates) {
    return narrow() ? wide(Op::Mul, a, b, saturates) : long_product(a, b, saturates);
  }
  ExprP absolute(ExprP a, bool saturates) {
    if (ir::is_unsigned(elem_)) return a;
    const ExprP zero = x_.int_const(0, type_), negative = x_.lt(a, zero);
    if (!saturates) {
      overflow_if(x_.eq(a, limit(false)));
      return x_.select(negative, x_.neg(a), a);
    }
    return x_.select(negative, x_.select(x_.eq(a, limit(false)), limit(true), x_.neg(a)), a);
  }

  /// Rounded to nearest, halves away from zero; by zero: the limit of the dividend's sign, 0 of 0.
  ExprP nearest_quotient(ExprP n, ExprP d) {
    const ExprP zero = x_.int_const(0, type_), by_zero = x_.eq(d, zero);
    if (ir::is_unsigned(elem_)) {
      const ExprP divisor = out_.keep(x_.select(by_zero, x_.int_const(1, type_), d));
      const ExprP q = out_.keep(x_.binary(Op::Div, n, divisor)), r = out_.keep(x_.sub(n, x_.mul(q, divisor)));
      // r >= d - r is 2 r >= d without overflow; not for the divisor 1, whose remainder is 0.
      const ExprP up = x_.convert(x_.ge(r, x_.sub(divisor, r)), type_);
      return x_.select(by_zero, x_.select(x_.eq(n, zero), zero, limit(true)), x_.add(q, up));
    }
    // Division by -1 is negation, which saturates.
    const ExprP negates = x_.eq(d, x_.int_const(-1, type_));
    const ExprP divisor = out_.keep(x_.select(x_.either(by_zero, negates), x_.int_const(1, type_), d));
    const ExprP q = out_.keep(x_.binary(Op::Div, n, divisor)), r = out_.keep(x_.sub(n, x_.mul(q, divisor)));
    // Computed on the negatives of the magnitudes, which exist for the least integer as well: -|r| <= -|d| + |r| is 2
    // |r| >= |d|.
    const ExprP nr = x_.select(x_.lt(r, zero), r, x_.neg(r)),
                nd = x_.select(x_.lt(divisor, zero), divisor, x_.neg(divisor));
    const ExprP one = x_.convert(x_.both(x_.ne(r, zero), x_.le(nr, x_.sub(nd, nr))), type_);
    const ExprP same_sign = x_.eq(x_.lt(n, zero), x_.lt(divisor, zero));
    const ExprP rounded = x_.select(same_sign, x_.add(q, one), x_.sub(q, one));
    const ExprP negated = x_.select(x_.eq(n, limit(false)), limit(true), x_.neg(n));
    const ExprP of_zero = x_.select(x_.gt(n, zero), limit(true), x_.select(x_.lt(n, zero), limit(false), zero));
    return x_.select(by_zero, of_zero, x_.select(negates, negated, rounded));
  }
  /// The same for at most 32 bits, by a division of floats, which vector units have. A quotient is at least 1 / (2 |d|)
  /// away from the nearest tie that it does not equal, and its rounding error is smaller than that.
  ExprP nearest_quotient_by_floats(ExprP n, ExprP d) {
    const Scalar f = scalar_bytes(type_) <= 2 ? Scalar::Float32 : Scalar::Float64;
    const ExprP q = x_.binary(Op::Div, x_.convert(n, f), x_.convert(d, f));
    return x_.convert(x_.math(MathFn::Round, q), type_);  // infinities saturate, and 0 / 0, a NaN, gives 0
  }
  bool floats_are_exact() const { return narrow() && !out_.in_kernel() && !(out_.conv.fast_math & ~ir::fastmath::Afn); }

  void fail_if_least_by_minus_one(ExprP n, ExprP d) {
    if (ir::is_unsigned(elem_)) return;
    overflow_if(x_.both(x_.eq(n, limit(false)), x_.eq(d, x_.int_const(-1, type_))));
  }

  /// Converts a value of another type to the nearest integer, halves away from zero; NaN becomes 0.
  ExprP saturated(ExprP v) {
    if (is_float(v->type)) return x_.convert(x_.math(MathFn::Round, v), type_);
    return x_.convert(clamped(out_.keep(v)), type_);
  }
  ExprP checked(ExprP given) {
    const ExprP v = out_.keep(given);
    if (!is_float(v->type)) {
      overflow_if(x_.ne(clamped(v), v));
      return x_.convert(v, type_);
    }
    // Both bounds are exact: powers of two. NaN fails the comparison.
    const ExprP whole = out_.keep(x_.math(MathFn::Trunc, v));
    const int bits = 8 * scalar_bytes(type_);
    const bool no_sign = ir::is_unsigned(elem_);
    const ExprP least = x_.float_const(no_sign ? 0 : -std::ldexp(1.0, bits - 1), v->type),
                above = x_.float_const(std::ldexp(1.0, no_sign ? bits : bits - 1), v->type);
    overflow_if(x_.not_(x_.both(x_.ge(whole, least), x_.lt(whole, above))));
    return x_.convert(whole, type_);
  }

 private:
  bool narrow() const { return scalar_bytes(type_) <= 4; }
  ExprP limit(bool highest) { return x_.limit(type_, highest); }
  void overflow_if(ExprP cond) { out_.fail_if(cond, Code::Overflow, "integer overflow"); }

  /// The integer `v`, of another type, limited to the range of this type.
  ExprP clamped(ExprP v) {
    const Elem from = elem_of(v->type);
    const ir::IntLimits f = ir::int_limits(from), t = ir::int_limits(elem_);
    const bool below = !ir::is_unsigned(from) && f.least < t.least;
    const auto above = ir::with_integer(f.most, from, [&](auto a) {
      return ir::with_integer(t.most, elem_, [&](auto b) { return std::cmp_greater(a, b); });
    });
    if (below) v = out_.keep(x_.max(v, x_.int_const(t.least, v->type)));
    return above ? x_.min(v, x_.int_const(t.most, v->type)) : v;
  }

  ExprP wide(Op op, ExprP a, ExprP b, bool saturates) {
    const bool no_sign = ir::is_unsigned(elem_);
    // Differences of unsigned numbers may be negative.
    const ir::ElemKind kind = no_sign && op == Op::Mul ? ir::ElemKind::Unsigned : ir::ElemKind::Signed;
    const Scalar twice = scalar_of(ir::integer_elem(kind, 2 * scalar_bytes(type_)));
    const ExprP r = out_.keep(x_.binary(op, x_.convert(a, twice), x_.convert(b, twice)));
    const ExprP c = clamped(r);
    if (!saturates) overflow_if(x_.ne(c, r));
    return x_.convert(saturates ? c : r, type_);
  }
  /// `wrapped` if it did not overflow, otherwise the limit.
  ExprP chosen(ExprP over, ExprP high, ExprP wrapped, bool saturates) {
    if (saturates) return x_.select(over, x_.select(high, limit(true), limit(false)), wrapped);
    overflow_if(over);
    return wrapped;
  }
  ExprP long_sum(ExprP a, ExprP b, bool saturates) {
    const ExprP r = out_.keep(x_.add(a, b));
    if (ir::is_unsigned(elem_)) return chosen(x_.lt(r, a), x_.bool_const(true), r, saturates);
    const ExprP zero = x_.int_const(0, type_), up = x_.ge(b, zero);
    return chosen(x_.ne(x_.ge(r, a), up), up, r, saturates);
  }
  ExprP long_difference(ExprP a, ExprP b, bool saturates) {
    const ExprP r = out_.keep(x_.sub(a, b));
    if (ir::is_unsigned(elem_)) return chosen(x_.lt(a, b), x_.bool_const(false), r, saturates);
    const ExprP zero = x_.int_const(0, type_), down = x_.ge(b, zero);
    return chosen(x_.ne(x_.le(r, a), down), x_.not_(down), r, saturates);
  }
  /// Tested by dividing the product by a factor.
  ExprP long_product(ExprP a, ExprP b, bool saturates) {
    const ExprP zero = x_.int_const(0, type_), one = x_.int_const(1, type_), r = out_.keep(x_.mul(a, b));
    if (ir::is_unsigned(elem_)) {
      const ExprP divisor = out_.keep(x_.select(x_.eq(b, zero), one, b));
      return chosen(x_.both(x_.ne(b, zero), x_.ne(x_.binary(Op::Div, r, divisor), a)), x_.bool_const(true), r,
                    saturates);
    }
    const ExprP negates = x_.eq(b, x_.int_const(-1, type_)), none = x_.eq(b, zero);
    const ExprP divisor = out_.keep(x_.select(x_.either(negates, none), one, b));
    const ExprP over =
        x_.select(negates, x_.eq(a, limit(false)), x_.both(x_.not_(none), x_.ne(x_.binary(Op::Div, r, divisor), a)));
    return chosen(over, x_.eq(x_.lt(a, zero), x_.lt(b, zero)), r, saturates);
  }

  Emitter& out_;
  Exprs& x_;
  Elem elem_;
  Scalar type_;
};

}  // namespace

ScalarValue overflow_map(Emitter& out, LibMap fn, const std::vector<ScalarValue>& args, Elem elem,
                         const ir::Type& stated) {
  const bool saturates = !ir::library(fn).checks_overflow();
  if (fn == LibMap::CastSat || fn == LibMap::CastCheck) {
    const Elem to = stated.is_numeric() ? stated.elem : Elem::Float64;
    if (ir::is_float(to) || to == Elem::Bool || args[0].elem == Elem::Bool || args[0].elem == to)
      return convert(out, args[0], to, false);
    Integers in(out, to);
    return {saturates ? in.saturated(args[0].re) : in.checked(args[0].re), nullptr, to};
  }
  if (elem == Elem::Bool) elem = Elem::Int32;
  const ExprP a = out.keep(convert(out, args[0], elem, false).re);
  // abs; the other operations take integers only
  if (ir::is_float(elem)) return {out.x.math(MathFn::Fabs, a), nullptr, elem};
  const ExprP b = args.size() > 1 ? out.keep(convert(out, args[1], elem, false).re) : nullptr;
  Integers in(out, elem);
  auto result = [&](ExprP e) { return ScalarValue{e, nullptr, elem}; };
  switch (fn) {
    case LibMap::AddSat:
    case LibMap::AddCheck:
      return result(in.sum(a, b, saturates));
    case LibMap::SubSat:
    case LibMap::SubCheck:
      return result(in.difference(a, b, saturates));
    case LibMap::MulSat:
    case LibMap::MulCheck:
      return result(in.product(a, b, saturates));
    case LibMap::AbsSat:
    case LibMap::AbsCheck:
      return result(in.absolute(a, saturates));
    case LibMap::DivSat:
      return result(in.floats_are_exact() ? in.nearest_quotient_by_floats(a, b) : in.nearest_quotient(a, b));
    default:
      in.fail_if_least_by_minus_one(a, b);
      return binary(out, ir::Kind::Div, result(a), result(b), ir::Type::scalar(elem));
  }
}

}  // namespace vr::lower
