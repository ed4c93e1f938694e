// Arithmetic on scalar values: conversions, operators, the elementwise part of the library (vrir-notes "Types and
// arithmetic"). The same code serves scalar expressions and the elements of array expressions.
#include "lower/function_lowering.hpp"

#include "ir/typing.hpp"

#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Kind;

ScalarValue FunctionLowering::zero(Elem elem, bool complex) { return number(0, elem, complex); }

ScalarValue FunctionLowering::number(double v, Elem elem, bool complex) {
  Scalar s = scalar_of(elem);
  auto make = [&](double d) { return is_float(s) ? x_.float_const(d, s) : x_.int_const(static_cast<int64_t>(d), s); };
  return {make(v), complex ? make(0) : nullptr, elem};
}

ScalarValue FunctionLowering::convert(ScalarValue v, Elem elem, bool complex) {
  if (elem == Elem::Bool && v.complex() && !complex) v = {truth(v), nullptr, Elem::Bool};
  Scalar s = scalar_of(elem);
  ScalarValue r{x_.convert(v.re, s), nullptr, elem};
  if (complex) r.im = v.im ? x_.convert(v.im, s) : zero(elem, false).re;
  return r;
}

ExprP FunctionLowering::truth(ScalarValue v) {
  ExprP t = x_.convert(v.re, Scalar::Bool);
  return v.im ? x_.either(t, x_.convert(v.im, Scalar::Bool)) : t;
}

ScalarValue FunctionLowering::negate(ScalarValue v) {
  if (v.elem == Elem::Bool) v = convert(v, Elem::Int32, v.complex());
  return {x_.neg(v.re), v.im ? x_.neg(v.im) : nullptr, v.elem};
}

ScalarValue FunctionLowering::int_division(ScalarValue a, ScalarValue b, bool remainder) {
  Scalar s = scalar_of(a.elem);
  ExprP zero = x_.int_const(0, s), minus1 = x_.int_const(-1, s);
  ExprP d = keep(b.re), n = keep(a.re);
  fail_if(x_.eq(d, zero), Code::DivByZero, "integer division by zero");
  // MIN / -1 traps on some machines: dividing by -1 is negation, which wraps.
  ExprP negates = x_.eq(d, minus1);
  ExprP safe = is_false(negates) ? d : x_.select(negates, x_.int_const(1, s), d);
  ExprP q = x_.binary(remainder ? Op::Rem : Op::Div, n, safe);
  return {x_.select(negates, remainder ? zero : x_.neg(n), q), nullptr, a.elem};
}

ScalarValue FunctionLowering::binary(Kind kind, ScalarValue a, ScalarValue b, const ir::Type& stated) {
  if (kind == Kind::And || kind == Kind::Or)
    return {x_.binary(kind == Kind::And ? Op::And : Op::Or, truth(a), truth(b)), nullptr, Elem::Bool};
  Elem elem = ir::common_type(ir::Type::scalar(a.elem), ir::Type::scalar(b.elem)).elem;
  const bool arithmetic = kind == Kind::Plus || kind == Kind::Minus || kind == Kind::Mult || kind == Kind::Div;
  if (arithmetic && elem == Elem::Bool) elem = Elem::Int32;  // arithmetic on truth values counts
  if (kind == Kind::Div && !ir::is_float(elem) && ir::is_float(stated.elem)) elem = stated.elem;
  const bool complex = a.complex() || b.complex();
  if (complex) return complex_binary(kind, convert(a, elem, true), convert(b, elem, true), elem);
  a = convert(a, elem, false);
  b = convert(b, elem, false);
  auto op = [&](Op o) { return ScalarValue{x_.binary(o, a.re, b.re), nullptr, is_comparison(o) ? Elem::Bool : elem}; };
  switch (kind) {
    case Kind::Plus:
      return op(Op::Add);
    case Kind::Minus:
      return op(Op::Sub);
    case Kind::Mult:
      return op(Op::Mul);
    case Kind::Div:
      return ir::is_float(elem) ? op(Op::Div) : int_division(a, b, false);
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
  unsupported(std::string("operator ") + ir::kind_word(kind));
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

ScalarValue FunctionLowering::map(const std::string& name, std::vector<ScalarValue> args, const ir::Type& stated) {
  if (name == "libplus") return binary(Kind::Plus, args[0], args[1], stated);
  if (name == "libminus") return binary(Kind::Minus, args[0], args[1], stated);
  if (name == "libmult") return binary(Kind::Mult, args[0], args[1], stated);
  if (name == "libdiv") return binary(Kind::Div, args[0], args[1], stated);
  if (name == "copy") return args[0];
  for (ScalarValue& a : args) a = keep(a);
  if (name == "where") {
    const Elem elem = ir::common_elem(args[1].elem, args[2].elem);
    const bool complex = args[1].complex() || args[2].complex();
    const ExprP test = keep(truth(args[0]));
    const ScalarValue yes = convert(args[1], elem, complex), no = convert(args[2], elem, complex);
    return {x_.select(test, yes.re, no.re), complex ? x_.select(test, yes.im, no.im) : nullptr, elem};
  }
  const bool complex = args[0].complex() || (args.size() > 1 && args[1].complex());
  if (complex || name == "real" || name == "imag" || name == "angle" || name == "conj") return complex_map(name, args);

  Elem elem = args[0].elem;
  if (args.size() > 1) elem = ir::common_type(ir::Type::scalar(elem), ir::Type::scalar(args[1].elem)).elem;
  auto floating = [&] {
    if (!ir::is_float(elem)) elem = Elem::Float64;
    for (ScalarValue& a : args) a = keep(convert(a, elem, false));
  };
  auto result = [&](ExprP e) { return ScalarValue{e, nullptr, elem}; };

  for (const MapFn& u : unary_math)
    if (name == u.name) {
      floating();
      return result(x_.math(u.fn, args[0].re));
    }
  if (name == "isnan" || name == "isinf" || name == "isfinite") {
    if (!ir::is_float(elem)) return {x_.bool_const(name == "isfinite"), nullptr, Elem::Bool};
    ExprP v = args[0].re, inf = x_.float_const(std::numeric_limits<double>::infinity(), v->type);
    ExprP magnitude = x_.math(MathFn::Fabs, v);
    return {name == "isnan"   ? x_.ne(v, v)
            : name == "isinf" ? x_.eq(magnitude, inf)
                              : x_.lt(magnitude, inf),
            nullptr, Elem::Bool};
  }
  const bool real_float = ir::is_float(elem);
  if (name == "abs") {
    if (real_float) return result(x_.math(MathFn::Fabs, args[0].re));
    if (elem == Elem::Bool) return args[0];
    return result(x_.select(x_.lt(args[0].re, x_.int_const(0, args[0].re->type)), x_.neg(args[0].re), args[0].re));
  }
  if (name == "floor" || name == "ceil" || name == "round" || name == "fix") {
    if (!real_float) return args[0];
    MathFn fn = name == "floor"   ? MathFn::Floor
                : name == "ceil"  ? MathFn::Ceil
                : name == "round" ? MathFn::Round
                                  : MathFn::Trunc;
    return result(x_.math(fn, args[0].re));
  }
  if (name == "sign") {
    if (elem == Elem::Bool) return args[0];
    ExprP v = args[0].re, z = number(0, elem, false).re, one = number(1, elem, false).re;
    ExprP s = x_.select(x_.gt(v, z), one, x_.select(x_.lt(v, z), x_.neg(one), z));
    return result(real_float ? x_.select(x_.ne(v, v), v, s) : s);
  }
  if (name == "atan2" || name == "hypot" || name == "pow") {
    if (name == "pow" && !real_float && !ir::is_float(stated.elem)) return complex_map("ipow", args);
    floating();
    return result(x_.math(name == "atan2"   ? MathFn::Atan2
                          : name == "hypot" ? MathFn::Hypot
                                            : MathFn::Pow,
                          args[0].re, args[1].re));
  }
  for (ScalarValue& a : args) a = keep(convert(a, elem, false));
  ExprP a = args[0].re, b = args.size() > 1 ? args[1].re : nullptr;
  if (name == "min2" || name == "max2") {
    ExprP pick = x_.select(name == "min2" ? x_.lt(b, a) : x_.gt(b, a), b, a);
    if (!real_float) return result(pick);
    // Propagate: a NaN wins. Omit: the other operand wins.
    ExprP a_nan = x_.ne(a, a), b_nan = x_.ne(b, b);
    if (conv_.nan == ir::NanMode::Propagate) return result(x_.select(a_nan, a, x_.select(b_nan, b, pick)));
    return result(x_.select(a_nan, b, x_.select(b_nan, a, pick)));
  }
  if (name == "bitand" || name == "bitor" || name == "bitxor") {
    if (elem == Elem::Bool) elem = Elem::Int32;
    const ScalarValue p = convert(args[0], elem, false), q = convert(args[1], elem, false);
    return result(x_.binary(name == "bitand" ? Op::And : name == "bitor" ? Op::Or : Op::Xor, p.re, q.re));
  }
  if (name == "mod" || name == "rem") {
    // rem has the dividend's sign, mod the divisor's (as MATLAB's and NumPy's functions of these names).
    if (!real_float) {
      if (elem == Elem::Bool)
        elem = Elem::Int32, args[0] = convert(args[0], elem, false), args[1] = convert(args[1], elem, false);
      ScalarValue r = keep(int_division(args[0], args[1], true));
      if (name == "rem") return r;
      ExprP z = x_.int_const(0, r.re->type), d = keep(args[1].re);
      ExprP fix = x_.both(x_.ne(r.re, z), x_.ne(x_.lt(r.re, z), x_.lt(d, z)));
      return result(x_.select(fix, x_.add(r.re, d), r.re));
    }
    const bool mod = name == "mod";
    ExprP z = number(0, elem, false).re;
    ExprP r = keep(x_.math(MathFn::Fmod, a, b));
    ExprP exact = r;
    if (mod) {
      ExprP other = x_.select(x_.ne(x_.lt(r, z), x_.lt(b, z)), x_.add(r, b), r);
      exact = x_.select(x_.eq(r, z), x_.math(MathFn::Copysign, z, b), other);
    }
    if (conv_.mindims == 1) return result(exact);
    // MATLAB: x - y * n with n the quotient rounded down (mod) or toward zero (rem), every step rounded; a quotient
    // within rounding of an integer leaves nothing; mod(x, 0) is x, rem(x, 0) NaN; infinite divisors as fmod has them.
    const double eps =
        elem == Elem::Float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    ExprP q = keep(x_.binary(Op::Div, a, b)), nearest = keep(x_.math(MathFn::Round, q));
    ExprP difference = x_.math(MathFn::Fabs, x_.sub(q, nearest));
    ExprP near_integer = x_.both(
        x_.ne(b, x_.math(MathFn::Round, b)),
        x_.lt(x_.binary(Op::Div, difference, x_.math(MathFn::Fabs, nearest)), x_.float_const(eps, scalar_of(elem))));
    ExprP multiple = x_.mul(b, x_.math(mod ? MathFn::Floor : MathFn::Trunc, q));
    ExprP rest = x_.select(near_integer, z, x_.sub(a, multiple));
    rest = x_.select(x_.ne(a, b), x_.math(MathFn::Copysign, rest, mod ? b : a), rest);
    ExprP inf = x_.float_const(std::numeric_limits<double>::infinity(), scalar_of(elem));
    ExprP m = x_.select(x_.eq(x_.math(MathFn::Fabs, b), inf), exact, rest);
    return result(
        x_.select(x_.eq(b, z), mod ? a : x_.float_const(std::numeric_limits<double>::quiet_NaN(), scalar_of(elem)), m));
  }
  unsupported("library function '" + name + "' on scalars");
}

}  // namespace vr::lower
