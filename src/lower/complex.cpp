// Complex arithmetic as pairs of real expressions, so that both backends run the same formulas.
#include "lower/function_lowering.hpp"

namespace vr::lower {

using ir::Elem;
using ir::Kind;

ScalarValue FunctionLowering::complex_binary(Kind kind, ScalarValue a, ScalarValue b, Elem elem) {
  a = keep(a);
  b = keep(b);
  auto pair = [&](ExprP re, ExprP im) { return ScalarValue{re, im, elem}; };
  auto mul = [&](ExprP p, ExprP q) { return x_.mul(p, q); };
  switch (kind) {
    case Kind::Plus:
      return pair(x_.add(a.re, b.re), x_.add(a.im, b.im));
    case Kind::Minus:
      return pair(x_.sub(a.re, b.re), x_.sub(a.im, b.im));
    case Kind::Mult:
      return pair(x_.sub(mul(a.re, b.re), mul(a.im, b.im)), x_.add(mul(a.re, b.im), mul(a.im, b.re)));
    case Kind::Div: {
      if (!ir::is_float(elem)) {
        ScalarValue q =
            complex_binary(kind, convert(a, Elem::Float64, true), convert(b, Elem::Float64, true), Elem::Float64);
        return convert(q, elem, true);
      }
      // Smith's method: scale by the larger part of the divisor, so that no intermediate overflows.
      ExprP wide = x_.lt(x_.math(MathFn::Fabs, b.re), x_.math(MathFn::Fabs, b.im));
      wide = keep(wide);
      ExprP p = keep(x_.select(wide, b.im, b.re)), q = keep(x_.select(wide, b.re, b.im));
      ExprP r = keep(x_.binary(Op::Div, q, p));
      ExprP den = keep(x_.add(p, mul(q, r)));
      // wide: (re*r + im, im*r - re) / den; else (re + im*r, im - re*r) / den
      ExprP re = x_.select(wide, x_.add(mul(a.re, r), a.im), x_.add(a.re, mul(a.im, r)));
      ExprP im = x_.select(wide, x_.sub(mul(a.im, r), a.re), x_.sub(a.im, mul(a.re, r)));
      return pair(x_.binary(Op::Div, re, den), x_.binary(Op::Div, im, den));
    }
    case Kind::Eq:
      return {x_.both(x_.eq(a.re, b.re), x_.eq(a.im, b.im)), nullptr, Elem::Bool};
    case Kind::Neq:
      return {x_.either(x_.ne(a.re, b.re), x_.ne(a.im, b.im)), nullptr, Elem::Bool};
    // Complex numbers have no order; as in MATLAB the real parts decide.
    case Kind::Lt:
      return {x_.lt(a.re, b.re), nullptr, Elem::Bool};
    case Kind::Leq:
      return {x_.le(a.re, b.re), nullptr, Elem::Bool};
    case Kind::Gt:
      return {x_.gt(a.re, b.re), nullptr, Elem::Bool};
    case Kind::Geq:
      return {x_.ge(a.re, b.re), nullptr, Elem::Bool};
    default:
      break;
  }
  unsupported(std::string("operator ") + ir::kind_word(kind) + " on complex numbers");
}

ScalarValue FunctionLowering::complex_map(const std::string& name, std::vector<ScalarValue> args) {
  if (name == "ipow") {
    // Integer power by squaring; a negative exponent gives 0 except for the bases 1 and -1.
    Elem elem = args[0].elem < args[1].elem ? args[1].elem : args[0].elem;
    if (elem == Elem::Bool) elem = Elem::Int32;
    Scalar s = scalar_of(elem);
    ExprP one = x_.int_const(1, s), z = x_.int_const(0, s);
    VarId base = new_var("base", s), exponent = new_var("exponent", s), power = new_var("power", s);
    set(base, x_.convert(args[0].re, s));
    set(exponent, x_.convert(args[1].re, s));
    set(power, one);
    ExprP b = get(base), e = get(exponent);
    ExprP odd = x_.ne(x_.binary(Op::And, e, one), z);
    emit(If{x_.lt(e, z),
            collect([&] {
              set(power,
                  x_.select(x_.eq(b, one), one, x_.select(x_.eq(b, x_.int_const(-1, s)), x_.select(odd, b, one), z)));
              set(exponent, z);
            }),
            {},
            true});
    emit(Loop{collect([&] {
      emit(If{x_.le(e, z), {Stmt{Break{}}}, {}});
      emit(If{odd, collect([&] { set(power, x_.mul(get(power), b)); }), {}});
      set(base, x_.mul(b, b));
      set(exponent, x_.binary(Op::Div, e, x_.int_const(2, s)));
    })});
    return {get(power), nullptr, elem};
  }
  for (ScalarValue& a : args) a = keep(convert(a, a.elem, true));
  ExprP re = args[0].re, im = args[0].im;
  Elem elem = args[0].elem;
  if (name == "real") return {re, nullptr, elem};
  if (name == "imag") return {im, nullptr, elem};
  if (name == "conj") return {re, x_.neg(im), elem};
  auto test = [&](const char* fn, bool all) {
    ExprP p = map(fn, {{re, nullptr, elem}}, ir::Type::scalar(Elem::Bool)).re;
    ExprP q = map(fn, {{im, nullptr, elem}}, ir::Type::scalar(Elem::Bool)).re;
    return ScalarValue{all ? x_.both(p, q) : x_.either(p, q), nullptr, Elem::Bool};
  };
  if (name == "isnan" || name == "isinf") return test(name.c_str(), false);
  if (name == "isfinite") return test("isfinite", true);
  if (name == "floor" || name == "ceil" || name == "round" || name == "fix") {
    ir::Type t = ir::Type::scalar(elem);
    return {map(name, {{re, nullptr, elem}}, t).re, map(name, {{im, nullptr, elem}}, t).re, elem};
  }
  if (!ir::is_float(elem)) {
    elem = Elem::Float64;
    for (ScalarValue& a : args) a = keep(convert(a, elem, true));
    re = args[0].re;
    im = args[0].im;
  }
  auto f = [&](double d) { return x_.float_const(d, re->type); };
  auto m1 = [&](MathFn fn, ExprP a) { return x_.math(fn, a); };
  auto real = [&](ExprP e) { return ScalarValue{e, nullptr, elem}; };
  auto pair = [&](ExprP a, ExprP b) { return ScalarValue{a, b, elem}; };
  ExprP modulus = x_.math(MathFn::Hypot, re, im);
  ExprP angle = x_.math(MathFn::Atan2, im, re);
  if (name == "abs") return real(modulus);
  if (name == "angle") return real(angle);
  if (name == "exp") {
    ExprP e = keep(m1(MathFn::Exp, re));
    // exp of a real number stays real: inf * 0 must not make a NaN.
    ExprP s = x_.select(x_.eq(im, f(0)), im, x_.mul(e, m1(MathFn::Sin, im)));
    return pair(x_.mul(e, m1(MathFn::Cos, im)), s);
  }
  if (name == "log") return pair(m1(MathFn::Log, modulus), angle);
  if (name == "log2" || name == "log10") {
    double scale = name == "log2" ? 1.4426950408889634 : 0.43429448190325183;
    return pair(x_.mul(m1(MathFn::Log, modulus), f(scale)), x_.mul(angle, f(scale)));
  }
  if (name == "sqrt") {
    // Half-angle form without cancellation: t = sqrt((|re| + |z|) / 2).
    ExprP t = keep(m1(MathFn::Sqrt, x_.mul(x_.add(m1(MathFn::Fabs, re), modulus), f(0.5))));
    ExprP is_zero = keep(x_.eq(t, f(0)));
    ExprP other = keep(x_.select(is_zero, f(0), x_.binary(Op::Div, x_.mul(m1(MathFn::Fabs, im), f(0.5)), t)));
    ExprP right = keep(x_.ge(re, f(0)));
    return pair(x_.select(right, t, other), x_.math(MathFn::Copysign, x_.select(right, other, t), im));
  }
  ExprP sin_re = m1(MathFn::Sin, re), cos_re = m1(MathFn::Cos, re), sin_im = m1(MathFn::Sin, im),
        cos_im = m1(MathFn::Cos, im);
  if (name == "sin") return pair(x_.mul(sin_re, m1(MathFn::Cosh, im)), x_.mul(cos_re, m1(MathFn::Sinh, im)));
  if (name == "cos") return pair(x_.mul(cos_re, m1(MathFn::Cosh, im)), x_.neg(x_.mul(sin_re, m1(MathFn::Sinh, im))));
  if (name == "sinh") return pair(x_.mul(m1(MathFn::Sinh, re), cos_im), x_.mul(m1(MathFn::Cosh, re), sin_im));
  if (name == "cosh") return pair(x_.mul(m1(MathFn::Cosh, re), cos_im), x_.mul(m1(MathFn::Sinh, re), sin_im));
  auto quotient = [&](const char* n, const char* d) {
    return complex_binary(Kind::Div, complex_map(n, args), complex_map(d, args), elem);
  };
  if (name == "tan") return quotient("sin", "cos");
  if (name == "tanh") return quotient("sinh", "cosh");
  if (name == "sign") {
    ExprP m = keep(modulus), is_zero = keep(x_.eq(m, f(0)));
    ExprP safe = keep(x_.select(is_zero, f(1), m));
    return pair(x_.binary(Op::Div, re, safe), x_.binary(Op::Div, im, safe));
  }
  if (name == "pow") {
    // exp(w log z), with 0^w = 0 and z^0 = 1; small integer powers by multiplication are exact enough and faster.
    ScalarValue w = args[1];
    if (w.re->kind == Expr::Kind::FloatConst && is_const(w.im) && w.im->fval == 0 && w.re->fval == 2)
      return complex_binary(Kind::Mult, args[0], args[0], elem);
    ScalarValue log_z = complex_map("log", {args[0]});
    ScalarValue p = keep(complex_map("exp", {complex_binary(Kind::Mult, log_z, w, elem)}));
    ExprP base_zero = keep(x_.both(x_.eq(re, f(0)), x_.eq(im, f(0))));
    ExprP w_zero = keep(x_.both(x_.eq(w.re, f(0)), x_.eq(w.im, f(0))));
    return pair(x_.select(w_zero, f(1), x_.select(base_zero, f(0), p.re)),
                x_.select(x_.either(w_zero, base_zero), f(0), p.im));
  }
  unsupported("library function '" + name + "' on complex numbers");
}

}  // namespace vr::lower
