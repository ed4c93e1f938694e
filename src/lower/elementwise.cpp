// Arithmetic on scalar values: conversions, operators, the elementwise part of the library (docs/vrir.md, "Typing and
// conversion"). The same code serves scalar expressions and the elements of array expressions.
#include "lower/elementwise.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "lower/inverse_erf.hpp"
#include "lower/overflow.hpp"
#include "lower/random.hpp"

#include <limits>
#include <optional>

namespace vr::lower {

using ir::Elem;
using ir::Kind;
using ir::LibMap;

ScalarValue zero(Emitter& out, Elem elem, bool complex) { return number(out, 0, elem, complex); }

ScalarValue number(Emitter& out, double v, Elem elem, bool complex) {
  Scalar s = scalar_of(elem);
  auto make = [&](double d) {
    return is_float(s) ? out.x.float_const(d, s) : out.x.int_const(static_cast<int64_t>(d), s);
  };
  return {make(v), complex ? make(0) : nullptr, elem};
}

ScalarValue convert(Emitter& out, ScalarValue v, Elem elem, bool complex) {
  if (elem == Elem::Bool && v.complex() && !complex) v = {truth(out, v), nullptr, Elem::Bool};
  Scalar s = scalar_of(elem);
  ScalarValue r{out.x.convert(v.re, s), nullptr, elem};
  if (complex) r.im = v.im ? out.x.convert(v.im, s) : zero(out, elem, false).re;
  return r;
}

ExprP truth(Emitter& out, ScalarValue v) {
  ExprP t = out.x.convert(v.re, Scalar::Bool);
  return v.im ? out.x.either(t, out.x.convert(v.im, Scalar::Bool)) : t;
}

ScalarValue negate(Emitter& out, ScalarValue v) {
  if (v.elem == Elem::Bool) v = convert(out, v, Elem::Int32, v.complex());
  return {out.x.neg(v.re), v.im ? out.x.neg(v.im) : nullptr, v.elem};
}

static ScalarValue int_division(Emitter& out, ScalarValue a, ScalarValue b, bool remainder) {
  if (ExprP q = out.x.binary(Op::Div, a.re, b.re); !remainder && shifted_right(*q)) return {q, nullptr, a.elem};
  Scalar s = scalar_of(a.elem);
  ExprP zero = out.x.int_const(0, s);
  ExprP d = out.keep(b.re), n = out.keep(a.re);
  out.fail_if(out.x.eq(d, zero), Code::DivByZero, "integer division by zero");
  if (ir::is_unsigned(a.elem)) return {out.x.binary(remainder ? Op::Rem : Op::Div, n, d), nullptr, a.elem};
  // MIN / -1 traps on some machines: dividing by -1 is negation, which wraps.
  ExprP negates = out.x.eq(d, out.x.int_const(-1, s));
  ExprP safe = is_false(negates) ? d : out.x.select(negates, out.x.int_const(1, s), d);
  ExprP q = out.x.binary(remainder ? Op::Rem : Op::Div, n, safe);
  return {out.x.select(negates, remainder ? zero : out.x.neg(n), q), nullptr, a.elem};
}

ScalarValue binary(Emitter& out, Kind kind, ScalarValue a, ScalarValue b, const ir::Type& stated) {
  if (kind == Kind::And || kind == Kind::Or)
    return {out.x.binary(kind == Kind::And ? Op::And : Op::Or, truth(out, a), truth(out, b)), nullptr, Elem::Bool};
  Elem elem = ir::common_type(ir::Type::scalar(a.elem), ir::Type::scalar(b.elem)).elem;
  const bool arithmetic = kind == Kind::Plus || kind == Kind::Minus || kind == Kind::Mult || kind == Kind::Div;
  if (arithmetic && elem == Elem::Bool) elem = Elem::Int32;  // arithmetic on truth values treats them as integers
  if (kind == Kind::Div && !ir::is_float(elem) && ir::is_float(stated.elem)) elem = stated.elem;
  const bool complex = a.complex() || b.complex();
  if (complex) return complex_binary(out, kind, convert(out, a, elem, true), convert(out, b, elem, true), elem);
  a = convert(out, a, elem, false);
  b = convert(out, b, elem, false);
  auto op = [&](Op o) {
    return ScalarValue{out.x.binary(o, a.re, b.re), nullptr, is_comparison(o) ? Elem::Bool : elem};
  };
  switch (kind) {
    case Kind::Plus:
      return op(Op::Add);
    case Kind::Minus:
      return op(Op::Sub);
    case Kind::Mult:
      return op(Op::Mul);
    case Kind::Div:
      return ir::is_float(elem) ? op(Op::Div) : int_division(out, a, b, false);
    case Kind::Lt:
      return op(Op::Lt);
    case Kind::Leq:
      return op(Op::Le);
    case Kind::Gt:
      return op(Op::Gt);
    case Kind::Geq:
      return op(Op::Ge);
    case Kind::Eq:
      return op(Op::Eq);
    case Kind::Neq:
      return op(Op::Ne);
    default:
      break;
  }
  out.unsupported(std::string("operator ") + ir::kind_word(kind));
}

namespace {
std::optional<Kind> operator_of(LibMap fn) {
  switch (fn) {
    case LibMap::Plus:
      return Kind::Plus;
    case LibMap::Minus:
      return Kind::Minus;
    case LibMap::Mult:
      return Kind::Mult;
    case LibMap::Div:
      return Kind::Div;
    default:
      return {};
  }
}

ScalarValue choice(Emitter& out, const std::vector<ScalarValue>& args) {
  const Elem elem = ir::common_elem(args[1].elem, args[2].elem);
  const bool complex = args[1].complex() || args[2].complex();
  const ExprP test = out.keep(truth(out, args[0]));
  const ScalarValue yes = convert(out, args[1], elem, complex), no = convert(out, args[2], elem, complex);
  return {out.x.select(test, yes.re, no.re), complex ? out.x.select(test, yes.im, no.im) : nullptr, elem};
}

/// rem has the dividend's sign, mod the divisor's (as MATLAB's and NumPy's functions of these names).
ScalarValue int_remainder(Emitter& out, ScalarValue a, ScalarValue b, Elem elem, bool mod) {
  if (elem == Elem::Bool) {
    elem = Elem::Int32;
    a = convert(out, a, elem, false);
    b = convert(out, b, elem, false);
  }
  const ScalarValue r = out.keep(int_division(out, a, b, true));
  if (!mod || ir::is_unsigned(elem)) return r;
  ExprP z = out.x.int_const(0, r.re->type), d = out.keep(b.re);
  ExprP fix = out.x.both(out.x.ne(r.re, z), out.x.ne(out.x.lt(r.re, z), out.x.lt(d, z)));
  return {out.x.select(fix, out.x.add(r.re, d), r.re), nullptr, elem};
}

ExprP float_remainder(Emitter& out, ExprP a, ExprP b, Elem elem, bool mod) {
  ExprP z = number(out, 0, elem, false).re;
  ExprP r = out.keep(out.x.math(MathFn::Fmod, a, b));
  ExprP exact = r;
  if (mod) {
    ExprP other = out.x.select(out.x.ne(out.x.lt(r, z), out.x.lt(b, z)), out.x.add(r, b), r);
    exact = out.x.select(out.x.eq(r, z), out.x.math(MathFn::Copysign, z, b), other);
  }
  if (out.conv.mindims == 1) return exact;
  // MATLAB: x - y * n with n the quotient rounded down (mod) or toward zero (rem), every step rounded; a quotient
  // within rounding of an integer has the remainder 0; mod(x, 0) is x, rem(x, 0) NaN; infinite divisors as fmod has
  // them.
  const double eps =
      elem == Elem::Float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  ExprP q = out.keep(out.x.binary(Op::Div, a, b)), nearest = out.keep(out.x.math(MathFn::Round, q));
  ExprP difference = out.x.math(MathFn::Fabs, out.x.sub(q, nearest));
  ExprP near_integer = out.x.both(out.x.ne(b, out.x.math(MathFn::Round, b)),
                                  out.x.lt(out.x.binary(Op::Div, difference, out.x.math(MathFn::Fabs, nearest)),
                                           out.x.float_const(eps, scalar_of(elem))));
  ExprP multiple = out.x.mul(b, out.x.math(mod ? MathFn::Floor : MathFn::Trunc, q));
  ExprP rest = out.x.select(near_integer, z, out.x.sub(a, multiple));
  rest = out.x.select(out.x.ne(a, b), out.x.math(MathFn::Copysign, rest, mod ? b : a), rest);
  ExprP inf = out.x.float_const(std::numeric_limits<double>::infinity(), scalar_of(elem));
  ExprP m = out.x.select(out.x.eq(out.x.math(MathFn::Fabs, b), inf), exact, rest);
  return out.x.select(out.x.eq(b, z),
                      mod ? a : out.x.float_const(std::numeric_limits<double>::quiet_NaN(), scalar_of(elem)), m);
}

ExprP lesser_or_greater(Emitter& out, ExprP a, ExprP b, bool lesser) {
  const ExprP better = lesser ? out.x.lt(b, a) : out.x.gt(b, a);
  if (!is_float(a->type)) return out.x.select(better, b, a);
  // A comparison with NaN is false, so that a is the result then. Propagate: if b is NaN, the result is b instead. Omit:
  // if a is NaN, the result is b. One choice and not one for each case: LLVM 19 combines the choices of max(|x|, 0) as
  // if it were max(x, 0).
  const ExprP kept = out.conv.nan == ir::NanMode::Propagate ? b : a;
  return out.x.select(out.x.either(better, out.x.ne(kept, kept)), b, a);
}
}  // namespace

ScalarValue map(Emitter& out, LibMap fn, std::vector<ScalarValue> args, const ir::Type& stated) {
  if (const auto kind = operator_of(fn)) return binary(out, *kind, args[0], args[1], stated);
  for (ScalarValue& a : args) a = out.keep(a);
  if (fn == LibMap::Where) return choice(out, args);
  if (ir::library(fn).sort == ir::LibSort::Random) return random_number(out, fn, args);
  if (args[0].complex() || (args.size() > 1 && args[1].complex())) return complex_map(out, fn, args);

  Elem elem = args[0].elem;
  if (args.size() > 1) elem = ir::common_type(ir::Type::scalar(elem), ir::Type::scalar(args[1].elem)).elem;
  const bool real_float = ir::is_float(elem);
  auto result = [&](ExprP e) { return ScalarValue{e, nullptr, elem}; };
  auto test = [](ExprP e) { return ScalarValue{e, nullptr, Elem::Bool}; };
  // In the common type of the arguments.
  auto common = [&] {
    for (ScalarValue& a : args) a = out.keep(convert(out, a, elem, false));
  };
  auto maths = [&](MathFn of) {
    if (!real_float) elem = Elem::Float64;
    common();
    return result(out.x.math(of, args[0].re, args.size() > 1 ? args[1].re : nullptr));
  };
  auto rounded = [&](MathFn of) { return real_float ? result(out.x.math(of, args[0].re)) : args[0]; };
  auto bits = [&](Op op) {
    common();
    if (elem == Elem::Bool) elem = Elem::Int32;
    const ScalarValue p = convert(out, args[0], elem, false), q = convert(out, args[1], elem, false);
    return result(out.x.binary(op, p.re, q.re));
  };
  // Counts that are no numbers of bits leave zeros, or the sign of a signed number.
  auto shifted = [&](Op op) {
    common();
    if (elem == Elem::Bool) elem = Elem::Int32;
    const ExprP p = convert(out, args[0], elem, false).re, q = convert(out, args[1], elem, false).re;
    const ExprP zero = number(out, 0, elem, false).re, bits = number(out, 8 * ir::elem_bytes(elem), elem, false).re;
    const bool no_sign = ir::is_unsigned(elem);
    const ExprP below = out.x.lt(q, bits), fits = no_sign ? below : out.x.both(out.x.ge(q, zero), below);
    if (op == Op::Shl || no_sign) return result(out.x.select(fits, out.x.binary(op, p, q), zero));
    return result(out.x.binary(op, p, out.x.select(fits, q, out.x.sub(bits, number(out, 1, elem, false).re))));
  };
  auto absolute = [&](ExprP e) {  // of a signed integer
    return out.x.select(out.x.lt(e, out.x.int_const(0, e->type)), out.x.neg(e), e);
  };
  const ExprP v = args[0].re;
  auto infinity = [&] { return out.x.float_const(std::numeric_limits<double>::infinity(), v->type); };
  switch (fn) {
#define VR_LIB_FLOAT(Id, ...) \
  case LibMap::Id:            \
    return maths(MathFn::Id);
#include "ir/library.def"
    case LibMap::ErfInv:
    case LibMap::ErfcInv:
      if (!real_float) elem = Elem::Float64;
      common();
      return result(inverse_erf(out, args[0].re, fn == LibMap::ErfcInv));
    case LibMap::Atan2:
      return maths(MathFn::Atan2);
    case LibMap::Hypot:
      return maths(MathFn::Hypot);
    case LibMap::Pow:
      if (!real_float && !ir::is_float(stated.elem)) return integer_power(out, args);
      return maths(MathFn::Pow);
    case LibMap::Floor:
      return rounded(MathFn::Floor);
    case LibMap::Ceil:
      return rounded(MathFn::Ceil);
    case LibMap::Round:
      return rounded(MathFn::Round);
    case LibMap::Rint:
      return rounded(MathFn::Rint);
    case LibMap::Fix:
      return rounded(MathFn::Trunc);
    case LibMap::Abs:
      if (real_float) return result(out.x.math(MathFn::Fabs, v));
      if (elem == Elem::Bool || ir::is_unsigned(elem)) return args[0];
      return result(absolute(v));
    case LibMap::Sign: {
      if (elem == Elem::Bool) return args[0];
      ExprP z = number(out, 0, elem, false).re, one = number(out, 1, elem, false).re;
      if (ir::is_unsigned(elem)) return result(out.x.select(out.x.gt(v, z), one, z));
      ExprP s = out.x.select(out.x.gt(v, z), one, out.x.select(out.x.lt(v, z), out.x.neg(one), z));
      return result(real_float ? out.x.select(out.x.ne(v, v), v, s) : s);
    }
    case LibMap::Real:
    case LibMap::Imag:
    case LibMap::Angle:
    case LibMap::Conj:
      return complex_map(out, fn, args);
    case LibMap::IsNan:
      return test(real_float ? out.x.ne(v, v) : out.x.bool_const(false));
    case LibMap::IsInf:
      return test(real_float ? out.x.eq(out.x.math(MathFn::Fabs, v), infinity()) : out.x.bool_const(false));
    case LibMap::IsFinite:
      return test(real_float ? out.x.lt(out.x.math(MathFn::Fabs, v), infinity()) : out.x.bool_const(true));
    case LibMap::Min2:
    case LibMap::Max2:
      common();
      return result(lesser_or_greater(out, args[0].re, args[1].re, fn == LibMap::Min2));
    case LibMap::Mod:
    case LibMap::Rem:
      common();
      if (!real_float) return int_remainder(out, args[0], args[1], elem, fn == LibMap::Mod);
      return result(float_remainder(out, args[0].re, args[1].re, elem, fn == LibMap::Mod));
    case LibMap::BitAnd:
      return bits(Op::And);
    case LibMap::BitOr:
      return bits(Op::Or);
    case LibMap::BitXor:
      return bits(Op::Xor);
    case LibMap::BitCount: {
      if (elem == Elem::Bool) elem = Elem::Int32;
      const ExprP p = out.keep(convert(out, args[0], elem, false).re);
      return result(out.x.unary(Op::Popcount, ir::is_unsigned(elem) ? p : absolute(p)));
    }
    case LibMap::ShiftLeft:
      return shifted(Op::Shl);
    case LibMap::ShiftRight:
      return shifted(Op::Shr);
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
      return overflow_map(out, fn, args, elem, stated);
    // Done above
    case LibMap::Plus:
    case LibMap::Minus:
    case LibMap::Mult:
    case LibMap::Div:
    case LibMap::Where:
    case LibMap::RandomBits:
    case LibMap::RandomUniform:
    case LibMap::RandomInteger:
    case LibMap::RandomNormal:
    case LibMap::RandomExponential:
    case LibMap::RandomGamma:
      break;
  }
  out.unsupported("library function '" + std::string(ir::library(fn).name) + "' on scalars");
}

}  // namespace vr::lower
