// Complex arithmetic as pairs of real expressions, so that both backends run the same formulas.
#include "ir/typing.hpp"
#include "lower/function_lowering.hpp"

#include <cmath>
#include <limits>
#include <numbers>

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
        const ExprP none = x_.int_const(0, scalar_of(elem));
        fail_if(x_.both(x_.eq(b.re, none), x_.eq(b.im, none)), Code::DivByZero, "integer division by zero");
        ScalarValue q =
            complex_binary(kind, convert(a, Elem::Float64, true), convert(b, Elem::Float64, true), Elem::Float64);
        return convert(q, elem, true);
      }
      // Smith's method: scale by the larger part of the divisor, so that no intermediate overflows. By 0 each part is
      // divided by +0.
      ExprP wide = x_.lt(x_.math(MathFn::Fabs, b.re), x_.math(MathFn::Fabs, b.im));
      wide = keep(wide);
      ExprP p = keep(x_.select(wide, b.im, b.re)), q = keep(x_.select(wide, b.re, b.im));
      const ExprP zero = x_.float_const(0, p->type);
      // Both parts: where im is NaN, re is taken for the larger one.
      ExprP none = keep(x_.both(x_.eq(p, zero), x_.eq(q, zero)));
      ExprP r = keep(x_.binary(Op::Div, q, p));
      ExprP den = keep(x_.select(none, zero, x_.add(p, mul(q, r))));
      // wide: (re*r + im, im*r - re) / den; else (re + im*r, im - re*r) / den
      ExprP re = x_.select(wide, x_.add(mul(a.re, r), a.im), x_.add(a.re, mul(a.im, r)));
      ExprP im = x_.select(wide, x_.sub(mul(a.im, r), a.re), x_.sub(a.im, mul(a.re, r)));
      re = x_.select(none, a.re, re);
      im = x_.select(none, a.im, im);
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
  if (args.size() == 2) {
    const Elem common = ir::common_elem(args[0].elem, args[1].elem);
    for (ScalarValue& a : args) a = convert(a, common, a.complex());
  }
  for (ScalarValue& a : args) a = keep(convert(a, a.elem, true));
  ExprP re = args[0].re, im = args[0].im;
  Elem elem = args[0].elem;
  if (name == "real") return {re, nullptr, elem};
  if (name == "imag") return {im, nullptr, elem};
  if (name == "conj") return {re, elem == Elem::Bool ? im : x_.neg(im), elem};
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
  // As in the interpreter rounded once, at the end; devices may have nothing wider than float32.
  if (elem == Elem::Float32 && fn_.kind != Function::Kind::Kernel && name != "abs" && name != "angle") {
    for (ScalarValue& a : args) a = convert(a, Elem::Float64, true);
    return convert(complex_map(name, args), elem, true);
  }
  auto f = [&](double d) { return x_.float_const(d, re->type); };
  auto m1 = [&](MathFn fn, ExprP a) { return x_.math(fn, a); };
  auto real = [&](ExprP e) { return ScalarValue{e, nullptr, elem}; };
  auto pair = [&](ExprP a, ExprP b) { return ScalarValue{a, b, elem}; };
  ExprP modulus = x_.math(MathFn::Hypot, re, im);
  ExprP angle = x_.math(MathFn::Atan2, im, re);
  if (name == "abs") return real(modulus);
  if (name == "angle") return real(angle);
  // The formulas are those of the C library, whose answers (annex G of C) they give at infinities, NaN and zeros too.
  auto magnitude = [&](ExprP e) { return x_.math(MathFn::Fabs, e); };
  auto infinite = [&](ExprP e) { return x_.eq(magnitude(e), f(HUGE_VAL)); };
  auto finite = [&](ExprP e) { return x_.lt(magnitude(e), f(HUGE_VAL)); };
  auto is_nan = [&](ExprP e) { return x_.ne(e, e); };
  auto signed_as = [&](double d, ExprP sign) { return x_.math(MathFn::Copysign, f(d), sign); };
  auto choose = [&](ExprP c, ExprP a, ExprP b) { return x_.select(c, a, b); };
  const double pi = std::numbers::pi, inf = HUGE_VAL, none = std::numeric_limits<double>::quiet_NaN();
  // A factor of 0 decides, also where the other is infinite.
  auto times = [&](ExprP big, ExprP factor) {
    big = keep(big);
    factor = keep(factor);
    ExprP sign = choose(is_nan(big), f(1), signed_as(1, big));
    return choose(x_.eq(factor, f(0)), x_.mul(factor, sign), x_.mul(big, factor));
  };
  // e^x alone may overflow, or lose digits, where its product with a sine does not: e^(x - shift), then times e^shift.
  const bool wide = elem == Elem::Float64;
  auto scale_of = [&](ExprP x) {
    const double limit = wide ? 700 : 80, shift = wide ? 650 : 60;
    ExprP up = keep(x_.gt(x, f(limit))), down = keep(x_.lt(x, f(-limit)));
    ExprP rest = choose(up, x_.sub(x, f(shift)), choose(down, x_.add(x, f(shift)), x));
    return std::pair{keep(rest), keep(choose(up, f(std::exp(shift)), choose(down, f(std::exp(-shift)), f(1))))};
  };
  if (name == "exp") {
    auto [rest, scale] = scale_of(re);
    ExprP e = keep(m1(MathFn::Exp, rest)), lost = keep(x_.not_(finite(im)));
    // Of a direction that does not exist: nothing is left at -inf, and infinity stays at +inf.
    ExprP gone = keep(x_.both(lost, x_.eq(re, f(-inf)))), stays = x_.both(lost, x_.eq(re, f(inf)));
    return pair(choose(gone, f(0), choose(stays, re, x_.mul(times(e, m1(MathFn::Cos, im)), scale))),
                choose(gone, signed_as(0, im), x_.mul(times(e, m1(MathFn::Sin, im)), scale)));
  }
  if (name == "expm1") {
    ExprP e = keep(m1(MathFn::Expm1, re)), s = keep(m1(MathFn::Sin, x_.mul(im, f(0.5))));
    return pair(x_.sub(x_.mul(e, m1(MathFn::Cos, im)), x_.mul(f(2), x_.mul(s, s))),
                x_.mul(x_.add(e, f(1)), m1(MathFn::Sin, im)));
  }
  if (name == "log1p") {
    // log|1 + z| without cancellation where it is near 0; elsewhere the sum would cancel
    ExprP size = keep(x_.add(x_.mul(re, x_.add(f(2), re)), x_.mul(im, im))), shifted = keep(x_.add(f(1), re));
    ExprP near = x_.mul(f(0.5), m1(MathFn::Log1p, size)), far = m1(MathFn::Log, x_.math(MathFn::Hypot, shifted, im));
    return pair(choose(x_.lt(magnitude(size), f(0.5)), near, far), x_.math(MathFn::Atan2, im, shifted));
  }
  if (name == "log") return pair(m1(MathFn::Log, modulus), angle);
  if (name == "log2" || name == "log10") {
    double scale = name == "log2" ? 1.4426950408889634 : 0.43429448190325183;
    return pair(x_.mul(m1(MathFn::Log, modulus), f(scale)), x_.mul(angle, f(scale)));
  }
  if (name == "sqrt") {
    // Half-angle form without cancellation: t = sqrt((|re| + |z|) / 2).
    ExprP half = x_.add(x_.mul(magnitude(re), f(0.5)), x_.mul(modulus, f(0.5)));
    ExprP upward = keep(infinite(im));
    ExprP t = keep(x_.select(upward, f(HUGE_VAL), m1(MathFn::Sqrt, half)));
    ExprP is_zero = keep(x_.eq(t, f(0)));
    ExprP other = x_.select(is_zero, f(0), x_.binary(Op::Div, x_.mul(magnitude(im), f(0.5)), t));
    other = keep(x_.select(upward, f(HUGE_VAL), other));
    ExprP right = keep(x_.ge(re, f(0)));
    return pair(x_.select(right, t, other), x_.math(MathFn::Copysign, x_.select(right, other, t), im));
  }
  if (name == "atan") {
    // -i atanh(i z), Kahan: without cancellation near the poles +-i.
    ExprP m = keep(magnitude(im)), below = keep(x_.sub(f(1), m)), square = keep(x_.mul(re, re));
    ExprP turn = x_.math(MathFn::Atan2, x_.mul(f(2), re), x_.sub(x_.mul(below, x_.add(f(1), m)), square));
    ExprP near = keep(x_.add(square, x_.mul(below, below)));
    ExprP height = x_.mul(f(0.25), m1(MathFn::Log1p, x_.binary(Op::Div, x_.mul(f(4), m), near)));
    // So near a pole that the square of the distance vanishes.
    ExprP pole = x_.mul(f(0.5), x_.sub(f(std::log(2.0)), m1(MathFn::Log, x_.math(MathFn::Hypot, re, below))));
    height = choose(x_.lt(near, f(wide ? 1e-280 : 1e-30)), pole, height);
    ExprP lost = keep(x_.not_(x_.both(finite(re), finite(im))));
    ExprP far = keep(x_.either(infinite(re), infinite(im)));
    ExprP edge = choose(x_.both(far, x_.not_(is_nan(re))), signed_as(pi / 2, re), f(none));
    ExprP rest = choose(x_.either(far, x_.eq(im, f(0))), signed_as(0, im), f(none));
    return pair(choose(lost, edge, x_.mul(f(0.5), turn)), choose(lost, rest, x_.math(MathFn::Copysign, height, im)));
  }
  if (name == "asin" || name == "acos") {
    // Kahan, "Branch cuts for complex elementary functions": from the roots of 1 - z and 1 + z.
    ScalarValue p = keep(complex_map("sqrt", {pair(x_.sub(f(1), re), x_.neg(im))}));
    ScalarValue q = keep(complex_map("sqrt", {pair(x_.add(f(1), re), im)}));
    auto asinh = [&](ExprP v) {
      v = keep(v);
      ExprP a = keep(magnitude(v)), root = x_.math(MathFn::Hypot, f(1), a);
      ExprP r = m1(MathFn::Log1p, x_.add(a, x_.mul(a, x_.binary(Op::Div, a, x_.add(f(1), root)))));
      return x_.select(infinite(v), v, x_.math(MathFn::Copysign, r, v));
    };
    ExprP far = keep(x_.either(infinite(re), infinite(im))), lost = keep(x_.either(is_nan(re), is_nan(im)));
    ExprP special = keep(x_.either(far, lost));
    ExprP corner = choose(infinite(re), choose(infinite(im), f(pi / 4), f(pi / 2)), f(0));
    ExprP edge = keep(choose(lost, choose(x_.eq(re, f(0)), re, f(none)), x_.math(MathFn::Copysign, corner, re)));
    ExprP height = keep(choose(far, signed_as(inf, im), f(none)));
    if (name == "asin")
      return pair(choose(special, edge, x_.math(MathFn::Atan2, re, x_.sub(x_.mul(p.re, q.re), x_.mul(p.im, q.im)))),
                  choose(special, height, asinh(x_.sub(x_.mul(p.re, q.im), x_.mul(p.im, q.re)))));
    return pair(choose(special, x_.sub(f(pi / 2), edge), x_.mul(f(2), x_.math(MathFn::Atan2, p.re, q.re))),
                choose(special, x_.neg(height), asinh(x_.sub(x_.mul(q.re, p.im), x_.mul(q.im, p.re)))));
  }
  if (name == "sin" || name == "cos" || name == "sinh" || name == "cosh") {
    // sin z = -i sinh(i z), cos z = cosh(i z).
    const bool circular = name == "sin" || name == "cos", cosine = name == "cos" || name == "cosh";
    ExprP a = keep(!circular ? re : cosine ? x_.neg(im) : im), b = circular ? re : im;
    auto [rest, scale] = scale_of(a);
    ExprP sinh = m1(MathFn::Sinh, rest), cosh = m1(MathFn::Cosh, rest), cos = m1(MathFn::Cos, b),
          sin = m1(MathFn::Sin, b);
    scale = keep(choose(x_.lt(scale, f(1)), x_.binary(Op::Div, f(1), scale), scale));
    ExprP lost = keep(x_.not_(finite(b))), nowhere = x_.both(lost, x_.eq(a, f(0)));
    ExprP first = choose(x_.both(lost, infinite(a)), f(inf), x_.mul(times(cosine ? cosh : sinh, cos), scale));
    ExprP second = x_.mul(times(cosine ? sinh : cosh, sin), scale);
    if (cosine)
      second = choose(nowhere, f(0), second);
    else
      first = choose(nowhere, a, first);
    return name == "sin" ? pair(second, first) : pair(first, second);
  }
  if (name == "tan" || name == "tanh") {
    // Kahan's tanh(x + iy), which does not overflow: with t = tan y, b = 1 + t^2, s = sinh x it is
    // (b s sqrt(1 + s^2) + i t) / (1 + b s^2); for large |x|: +-1 + i 4 sin y cos y exp(-2|x|). tan z = -i tanh(i z).
    const bool tan = name == "tan";
    ExprP x = tan ? im : re, y = tan ? re : im;
    ExprP t = keep(m1(MathFn::Tan, y)), s = keep(m1(MathFn::Sinh, x)), size = keep(magnitude(x));
    ExprP b = keep(x_.add(f(1), x_.mul(t, t))), rho = m1(MathFn::Sqrt, x_.add(f(1), x_.mul(s, s)));
    ExprP den = keep(x_.add(f(1), x_.mul(x_.mul(b, s), s)));
    ExprP large = keep(x_.gt(size, f(20)));
    ExprP decay =
        x_.mul(x_.mul(f(4), x_.mul(m1(MathFn::Sin, y), m1(MathFn::Cos, y))), m1(MathFn::Exp, x_.mul(f(-2), size)));
    ExprP far = keep(infinite(x)), lost = keep(x_.not_(x_.both(finite(x), finite(y))));
    ExprP small = x_.select(far, signed_as(0, x_.select(finite(y), t, y)), decay);
    ExprP u =
        keep(x_.select(large, x_.math(MathFn::Copysign, f(1), x), x_.binary(Op::Div, x_.mul(x_.mul(b, rho), s), den)));
    ExprP v = keep(x_.select(large, small, x_.select(x_.eq(t, f(0)), t, x_.binary(Op::Div, t, den))));
    ExprP flat = keep(x_.both(lost, x_.not_(far))), level = keep(x_.eq(y, f(0)));
    u = keep(choose(flat, choose(x_.either(level, x_.eq(x, f(0))), x, f(none)), u));
    v = keep(choose(flat, choose(level, y, f(none)), v));
    return tan ? pair(v, u) : pair(u, v);
  }
  if (name == "sign") {
    ExprP m = keep(modulus), is_zero = keep(x_.eq(m, f(0))), far = keep(infinite(m));
    ExprP safe = keep(x_.select(is_zero, f(1), m));
    // Of infinite numbers the direction of the infinite part; two of them have none.
    auto direction = [&](ExprP part, ExprP other) {
      return choose(infinite(part), choose(infinite(other), f(none), signed_as(1, part)),
                    choose(infinite(other), f(0), f(none)));
    };
    return pair(choose(is_zero, f(0), choose(far, direction(re, im), x_.binary(Op::Div, re, safe))),
                choose(is_zero, f(0), choose(far, direction(im, re), x_.binary(Op::Div, im, safe))));
  }
  if (name == "pow") {
    // exp(w log z), with z^0 = 1; small integer powers by multiplication, as exact as they can be. 0^w is 0 where w's real
    // part is positive, and has no value else (MATLAB: an infinite real part where w's is negative).
    ScalarValue w = args[1];
    if (w.re->kind == Expr::Kind::FloatConst && is_const(w.im) && w.im->fval == 0 && w.re->fval == 2)
      return complex_binary(Kind::Mult, args[0], args[0], elem);
    const Scalar s = re->type;
    VarId out_re = new_var("power.re", s), out_im = new_var("power.im", s);
    auto give = [&](const ScalarValue& v) {
      ExprP a = temp(v.re), b = temp(v.im);
      set(out_re, a);
      set(out_im, b);
    };
    ExprP n = keep(x_.convert(w.re, Scalar::Int64), "n");
    ExprP whole = x_.both(x_.both(x_.eq(w.im, f(0)), x_.eq(x_.convert(n, s), w.re)), x_.le(magnitude(w.re), f(1024)));
    Block multiply = collect([&] {
      VarId k = new_var("k", Scalar::Int64), p_re = new_var("base.re", s), p_im = new_var("base.im", s);
      ExprP down = keep(x_.lt(n, x_.int_const(0)));
      set(k, x_.select(down, x_.sub(x_.int_const(0), n), n));
      set(p_re, re);
      set(p_im, im);
      emit(If{down,
              collect([&] {
                ScalarValue q = complex_binary(Kind::Div, pair(f(1), f(0)), pair(re, im), elem);
                ExprP a = temp(q.re), b = temp(q.im);
                set(p_re, a);
                set(p_im, b);
              }),
              {}});
      VarId started = new_var("started", Scalar::Bool);
      set(started, x_.bool_const(false));
      set(out_re, f(1));
      set(out_im, f(0));
      const ExprP left = get(k), one = x_.int_const(1);
      auto product = [&](VarId to_re, VarId to_im) {
        ScalarValue q = complex_binary(Kind::Mult, pair(get(to_re), get(to_im)), pair(get(p_re), get(p_im)), elem);
        ExprP a = temp(q.re), b = temp(q.im);
        set(to_re, a);
        set(to_im, b);
      };
      emit(Loop{collect([&] {
        emit(If{x_.le(left, x_.int_const(0)), {Stmt{Break{}}}, {}});
        emit(If{x_.ne(x_.binary(Op::And, left, one), x_.int_const(0)),
                collect([&] {
                  // The first factor as it is: a product with 1 + 0i makes NaN of infinities.
                  emit(If{get(started), collect([&] { product(out_re, out_im); }), collect([&] {
                            set(out_re, get(p_re));
                            set(out_im, get(p_im));
                            set(started, x_.bool_const(true));
                          })});
                }),
                {}});
        product(p_re, p_im);
        set(k, x_.binary(Op::Div, left, x_.int_const(2)));
      })});
    });
    Block general = collect([&] {
      ScalarValue log_z = complex_map("log", {args[0]});
      give(complex_map("exp", {complex_binary(Kind::Mult, log_z, w, elem)}));
    });
    emit(If{whole, std::move(multiply), std::move(general)});
    ExprP base_zero = keep(x_.both(x_.eq(re, f(0)), x_.eq(im, f(0))));
    ExprP w_zero = keep(x_.both(x_.eq(w.re, f(0)), x_.eq(w.im, f(0))));
    ExprP vanishes = keep(x_.gt(w.re, f(0)));
    ExprP nowhere = conv_.mindims == 2 ? choose(x_.lt(w.re, f(0)), f(inf), f(none)) : f(none);
    return pair(choose(w_zero, f(1), choose(base_zero, choose(vanishes, f(0), nowhere), get(out_re))),
                choose(w_zero, f(0), choose(base_zero, choose(vanishes, f(0), f(none)), get(out_im))));
  }
  unsupported("library function '" + name + "' on complex numbers");
}

}  // namespace vr::lower
