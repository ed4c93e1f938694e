// Arithmetic on scalar values: conversions, operators, the elementwise part of the library (vrir-notes "Types and
// arithmetic"). The same code serves scalar expressions and the elements of array expressions.
#include "lower/elementwise.hpp"

#include "ir/typing.hpp"
#include "lower/array.hpp"

#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Kind;

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
  Scalar s = scalar_of(a.elem);
  ExprP zero = out.x.int_const(0, s), minus1 = out.x.int_const(-1, s);
  ExprP d = out.keep(b.re), n = out.keep(a.re);
  out.fail_if(out.x.eq(d, zero), Code::DivByZero, "integer division by zero");
  // MIN / -1 traps on some machines: dividing by -1 is negation, which wraps.
  ExprP negates = out.x.eq(d, minus1);
  ExprP safe = is_false(negates) ? d : out.x.select(negates, out.x.int_const(1, s), d);
  ExprP q = out.x.binary(remainder ? Op::Rem : Op::Div, n, safe);
  return {out.x.select(negates, remainder ? zero : out.x.neg(n), q), nullptr, a.elem};
}

ScalarValue binary(Emitter& out, Kind kind, ScalarValue a, ScalarValue b, const ir::Type& stated) {
  if (kind == Kind::And || kind == Kind::Or)
    return {out.x.binary(kind == Kind::And ? Op::And : Op::Or, truth(out, a), truth(out, b)), nullptr, Elem::Bool};
  Elem elem = ir::common_type(ir::Type::scalar(a.elem), ir::Type::scalar(b.elem)).elem;
  const bool arithmetic = kind == Kind::Plus || kind == Kind::Minus || kind == Kind::Mult || kind == Kind::Div;
  if (arithmetic && elem == Elem::Bool) elem = Elem::Int32;  // arithmetic on truth values counts
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
struct MapFn {
  const char* name;
  MathFn fn;
};
constexpr MapFn unary_math[] = {
    {"sqrt", MathFn::Sqrt}, {"exp", MathFn::Exp},     {"expm1", MathFn::Expm1}, {"log", MathFn::Log},
    {"log2", MathFn::Log2}, {"log10", MathFn::Log10}, {"log1p", MathFn::Log1p}, {"sin", MathFn::Sin},
    {"cos", MathFn::Cos},   {"tan", MathFn::Tan},     {"asin", MathFn::Asin},   {"acos", MathFn::Acos},
    {"atan", MathFn::Atan}, {"sinh", MathFn::Sinh},   {"cosh", MathFn::Cosh},   {"tanh", MathFn::Tanh},
    {"erf", MathFn::Erf},
};
}  // namespace

ScalarValue map(Emitter& out, const std::string& name, std::vector<ScalarValue> args, const ir::Type& stated) {
  if (name == "libplus") return binary(out, Kind::Plus, args[0], args[1], stated);
  if (name == "libminus") return binary(out, Kind::Minus, args[0], args[1], stated);
  if (name == "libmult") return binary(out, Kind::Mult, args[0], args[1], stated);
  if (name == "libdiv") return binary(out, Kind::Div, args[0], args[1], stated);
  if (name == "copy") return args[0];
  for (ScalarValue& a : args) a = out.keep(a);
  if (name == "where") {
    const Elem elem = ir::common_elem(args[1].elem, args[2].elem);
    const bool complex = args[1].complex() || args[2].complex();
    const ExprP test = out.keep(truth(out, args[0]));
    const ScalarValue yes = convert(out, args[1], elem, complex), no = convert(out, args[2], elem, complex);
    return {out.x.select(test, yes.re, no.re), complex ? out.x.select(test, yes.im, no.im) : nullptr, elem};
  }
  const bool complex = args[0].complex() || (args.size() > 1 && args[1].complex());
  if (complex || name == "real" || name == "imag" || name == "angle" || name == "conj")
    return complex_map(out, name, args);

  Elem elem = args[0].elem;
  if (args.size() > 1) elem = ir::common_type(ir::Type::scalar(elem), ir::Type::scalar(args[1].elem)).elem;
  auto floating = [&] {
    if (!ir::is_float(elem)) elem = Elem::Float64;
    for (ScalarValue& a : args) a = out.keep(convert(out, a, elem, false));
  };
  auto result = [&](ExprP e) { return ScalarValue{e, nullptr, elem}; };

  for (const MapFn& u : unary_math)
    if (name == u.name) {
      floating();
      return result(out.x.math(u.fn, args[0].re));
    }
  if (name == "isnan" || name == "isinf" || name == "isfinite") {
    if (!ir::is_float(elem)) return {out.x.bool_const(name == "isfinite"), nullptr, Elem::Bool};
    ExprP v = args[0].re, inf = out.x.float_const(std::numeric_limits<double>::infinity(), v->type);
    ExprP magnitude = out.x.math(MathFn::Fabs, v);
    return {name == "isnan"   ? out.x.ne(v, v)
            : name == "isinf" ? out.x.eq(magnitude, inf)
                              : out.x.lt(magnitude, inf),
            nullptr, Elem::Bool};
  }
  const bool real_float = ir::is_float(elem);
  if (name == "abs") {
    if (real_float) return result(out.x.math(MathFn::Fabs, args[0].re));
    if (elem == Elem::Bool) return args[0];
    return result(
        out.x.select(out.x.lt(args[0].re, out.x.int_const(0, args[0].re->type)), out.x.neg(args[0].re), args[0].re));
  }
  if (name == "floor" || name == "ceil" || name == "round" || name == "fix") {
    if (!real_float) return args[0];
    MathFn fn = name == "floor"   ? MathFn::Floor
                : name == "ceil"  ? MathFn::Ceil
                : name == "round" ? MathFn::Round
                                  : MathFn::Trunc;
    return result(out.x.math(fn, args[0].re));
  }
  if (name == "sign") {
    if (elem == Elem::Bool) return args[0];
    ExprP v = args[0].re, z = number(out, 0, elem, false).re, one = number(out, 1, elem, false).re;
    ExprP s = out.x.select(out.x.gt(v, z), one, out.x.select(out.x.lt(v, z), out.x.neg(one), z));
    return result(real_float ? out.x.select(out.x.ne(v, v), v, s) : s);
  }
  if (name == "atan2" || name == "hypot" || name == "pow") {
    if (name == "pow" && !real_float && !ir::is_float(stated.elem)) return complex_map(out, "ipow", args);
    floating();
    return result(out.x.math(name == "atan2"   ? MathFn::Atan2
                             : name == "hypot" ? MathFn::Hypot
                                               : MathFn::Pow,
                             args[0].re, args[1].re));
  }
  for (ScalarValue& a : args) a = out.keep(convert(out, a, elem, false));
  ExprP a = args[0].re, b = args.size() > 1 ? args[1].re : nullptr;
  if (name == "min2" || name == "max2") {
    ExprP pick = out.x.select(name == "min2" ? out.x.lt(b, a) : out.x.gt(b, a), b, a);
    if (!real_float) return result(pick);
    // Propagate: a NaN wins. Omit: the other operand wins.
    ExprP a_nan = out.x.ne(a, a), b_nan = out.x.ne(b, b);
    if (out.conv.nan == ir::NanMode::Propagate) return result(out.x.select(a_nan, a, out.x.select(b_nan, b, pick)));
    return result(out.x.select(a_nan, b, out.x.select(b_nan, a, pick)));
  }
  if (name == "bitand" || name == "bitor" || name == "bitxor") {
    if (elem == Elem::Bool) elem = Elem::Int32;
    const ScalarValue p = convert(out, args[0], elem, false), q = convert(out, args[1], elem, false);
    return result(out.x.binary(name == "bitand" ? Op::And : name == "bitor" ? Op::Or : Op::Xor, p.re, q.re));
  }
  if (name == "mod" || name == "rem") {
    // rem has the dividend's sign, mod the divisor's (as MATLAB's and NumPy's functions of these names).
    if (!real_float) {
      if (elem == Elem::Bool)
        elem = Elem::Int32, args[0] = convert(out, args[0], elem, false), args[1] = convert(out, args[1], elem, false);
      ScalarValue r = out.keep(int_division(out, args[0], args[1], true));
      if (name == "rem") return r;
      ExprP z = out.x.int_const(0, r.re->type), d = out.keep(args[1].re);
      ExprP fix = out.x.both(out.x.ne(r.re, z), out.x.ne(out.x.lt(r.re, z), out.x.lt(d, z)));
      return result(out.x.select(fix, out.x.add(r.re, d), r.re));
    }
    const bool mod = name == "mod";
    ExprP z = number(out, 0, elem, false).re;
    ExprP r = out.keep(out.x.math(MathFn::Fmod, a, b));
    ExprP exact = r;
    if (mod) {
      ExprP other = out.x.select(out.x.ne(out.x.lt(r, z), out.x.lt(b, z)), out.x.add(r, b), r);
      exact = out.x.select(out.x.eq(r, z), out.x.math(MathFn::Copysign, z, b), other);
    }
    if (out.conv.mindims == 1) return result(exact);
    // MATLAB: x - y * n with n the quotient rounded down (mod) or toward zero (rem), every step rounded; a quotient
    // within rounding of an integer leaves nothing; mod(x, 0) is x, rem(x, 0) NaN; infinite divisors as fmod has them.
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
    return result(out.x.select(
        out.x.eq(b, z), mod ? a : out.x.float_const(std::numeric_limits<double>::quiet_NaN(), scalar_of(elem)), m));
  }
  out.unsupported("library function '" + name + "' on scalars");
}

}  // namespace vr::lower
