// Complex arithmetic as pairs of real expressions, so that both backends run the same formulas.
#include "lower/complex_hyperbolic.hpp"
#include "lower/complex_log.hpp"
#include "lower/elementwise.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"

#include <cmath>
#include <numbers>

namespace vr::lower {

using ir::Elem;
using ir::Kind;
using ir::LibMap;

ScalarValue complex_binary(Emitter& out, Kind kind, ScalarValue a, ScalarValue b, Elem elem) {
  a = out.keep(a);
  b = out.keep(b);
  auto pair = [&](ExprP re, ExprP im) { return ScalarValue{re, im, elem}; };
  auto mul = [&](ExprP p, ExprP q) { return out.x.mul(p, q); };
  switch (kind) {
    case Kind::Plus:
      return pair(out.x.add(a.re, b.re), out.x.add(a.im, b.im));
    case Kind::Minus:
      return pair(out.x.sub(a.re, b.re), out.x.sub(a.im, b.im));
    case Kind::Mult:
      return pair(out.x.sub(mul(a.re, b.re), mul(a.im, b.im)), out.x.add(mul(a.re, b.im), mul(a.im, b.re)));
    case Kind::Div: {
      if (!ir::is_float(elem)) {
        const ExprP none = out.x.int_const(0, scalar_of(elem));
        out.fail_if(out.x.both(out.x.eq(b.re, none), out.x.eq(b.im, none)), Code::DivByZero,
                    "integer division by zero");
        ScalarValue q = complex_binary(out, kind, convert(out, a, Elem::Float64, true),
                                       convert(out, b, Elem::Float64, true), Elem::Float64);
        return convert(out, q, elem, true);
      }
      // Smith's method: scale by the larger part of the divisor, so that no intermediate overflows. By 0 each part is
      // divided by +0.
      ExprP wide = out.x.lt(out.x.math(MathFn::Fabs, b.re), out.x.math(MathFn::Fabs, b.im));
      wide = out.keep(wide);
      ExprP p = out.keep(out.x.select(wide, b.im, b.re)), q = out.keep(out.x.select(wide, b.re, b.im));
      const ExprP zero = out.x.float_const(0, p->type);
      // Tests both parts: if b.im is NaN, `wide` is false and p is b.re, which may be 0.
      ExprP none = out.keep(out.x.both(out.x.eq(p, zero), out.x.eq(q, zero)));
      ExprP r = out.keep(out.x.binary(Op::Div, q, p));
      ExprP den = out.keep(out.x.select(none, zero, out.x.add(p, mul(q, r))));
      // wide: (re*r + im, im*r - re) / den; else (re + im*r, im - re*r) / den
      ExprP re = out.x.select(wide, out.x.add(mul(a.re, r), a.im), out.x.add(a.re, mul(a.im, r)));
      ExprP im = out.x.select(wide, out.x.sub(mul(a.im, r), a.re), out.x.sub(a.im, mul(a.re, r)));
      re = out.x.select(none, a.re, re);
      im = out.x.select(none, a.im, im);
      return pair(out.x.binary(Op::Div, re, den), out.x.binary(Op::Div, im, den));
    }
    case Kind::Eq:
      return {out.x.both(out.x.eq(a.re, b.re), out.x.eq(a.im, b.im)), nullptr, Elem::Bool};
    case Kind::Neq:
      return {out.x.either(out.x.ne(a.re, b.re), out.x.ne(a.im, b.im)), nullptr, Elem::Bool};
    // Complex numbers have no order; as in MATLAB the real parts decide.
    case Kind::Lt:
      return {out.x.lt(a.re, b.re), nullptr, Elem::Bool};
    case Kind::Leq:
      return {out.x.le(a.re, b.re), nullptr, Elem::Bool};
    case Kind::Gt:
      return {out.x.gt(a.re, b.re), nullptr, Elem::Bool};
    case Kind::Geq:
      return {out.x.ge(a.re, b.re), nullptr, Elem::Bool};
    default:
      break;
  }
  out.unsupported(std::string("operator ") + ir::kind_word(kind) + " on complex numbers");
}

ScalarValue complex_map(Emitter& out, LibMap fn, std::vector<ScalarValue> args, bool of_modulus) {
  if (args.size() == 2) {
    const Elem common = ir::common_elem(args[0].elem, args[1].elem);
    for (ScalarValue& a : args) a = convert(out, a, common, a.complex());
  }
  for (ScalarValue& a : args) a = out.keep(convert(out, a, a.elem, true));
  ExprP re = args[0].re, im = args[0].im;
  Elem elem = args[0].elem;
  if (fn == LibMap::Real || fn == LibMap::Imag) return {fn == LibMap::Real ? re : im, nullptr, elem};
  if (fn == LibMap::Conj) return {re, elem == Elem::Bool ? im : out.x.neg(im), elem};
  if (fn == LibMap::IsNan || fn == LibMap::IsInf || fn == LibMap::IsFinite) {
    const ExprP p = map(out, fn, {{re, nullptr, elem}}, ir::Type::scalar(Elem::Bool)).re;
    const ExprP q = map(out, fn, {{im, nullptr, elem}}, ir::Type::scalar(Elem::Bool)).re;
    return {fn == LibMap::IsFinite ? out.x.both(p, q) : out.x.either(p, q), nullptr, Elem::Bool};
  }
  if (!ir::is_float(elem)) {
    elem = Elem::Float64;
    for (ScalarValue& a : args) a = out.keep(convert(out, a, elem, true));
    re = args[0].re, im = args[0].im;
  }
  // Rounded once, at the end, as in the interpreter; devices may have no type wider than float32.
  if (elem == Elem::Float32 && out.fn.kind != Function::Kind::Kernel && fn != LibMap::Abs && fn != LibMap::Angle) {
    for (ScalarValue& a : args) a = convert(out, a, Elem::Float64, true);
    return convert(out, complex_map(out, fn, args, of_modulus), elem, true);
  }
  auto f = [&](double d) { return out.x.float_const(d, re->type); };
  auto m1 = [&](MathFn m, ExprP a) { return out.x.math(m, a); };
  auto real = [&](ExprP e) { return ScalarValue{e, nullptr, elem}; };
  auto pair = [&](ExprP a, ExprP b) { return ScalarValue{a, b, elem}; };
  ExprP modulus = out.x.math(MathFn::Hypot, re, im);
  ExprP angle = out.x.math(MathFn::Atan2, im, re);
  if (fn == LibMap::Abs || fn == LibMap::Angle) return real(fn == LibMap::Abs ? modulus : angle);
  // The formulas of the C library, which give the results of annex G of the C standard at infinities, NaN and zeros
  // too.
  auto magnitude = [&](ExprP e) { return out.x.math(MathFn::Fabs, e); };
  auto infinite = [&](ExprP e) { return out.x.eq(magnitude(e), f(HUGE_VAL)); };
  auto finite = [&](ExprP e) { return out.x.lt(magnitude(e), f(HUGE_VAL)); };
  auto is_nan = [&](ExprP e) { return out.x.ne(e, e); };
  auto signed_as = [&](double d, ExprP sign) { return out.x.math(MathFn::Copysign, f(d), sign); };
  auto choose = [&](ExprP c, ExprP a, ExprP b) { return out.x.select(c, a, b); };
  const double pi = std::numbers::pi, inf = HUGE_VAL, none = NAN;
  // 0 times anything is 0, also times infinity and NaN.
  auto times = [&](ExprP big, ExprP factor) {
    big = out.keep(big);
    factor = out.keep(factor);
    ExprP sign = choose(is_nan(big), f(1), signed_as(1, big));
    return choose(out.x.eq(factor, f(0)), out.x.mul(factor, sign), out.x.mul(big, factor));
  };
  // e^x alone may overflow, or lose digits, where its product with a sine does not: e^(x - shift), then times e^shift.
  const bool wide = elem == Elem::Float64;
  auto scale_of = [&](ExprP x) {
    const double limit = wide ? 700 : 80, shift = wide ? 650 : 60;
    ExprP up = out.keep(out.x.gt(x, f(limit))), down = out.keep(out.x.lt(x, f(-limit)));
    ExprP rest = choose(up, out.x.sub(x, f(shift)), choose(down, out.x.add(x, f(shift)), x));
    return std::pair{out.keep(rest), out.keep(choose(up, f(std::exp(shift)), choose(down, f(std::exp(-shift)), f(1))))};
  };
  // Both parts times a power of 4, so that the magnitude neither overflows nor loses digits among subnormal numbers:
  // the parts, the power's logarithm, and the inverse of its root.
  struct Scaled {
    ExprP re, im, log, root;
  };
  auto scaled = [&](ExprP p, ExprP q) {
    ExprP up = out.keep(out.x.gt(out.x.max(magnitude(p), magnitude(q)), f(wide ? 0x1p1020 : 0x1p124)));
    ExprP down = out.keep(out.x.both(out.x.lt(magnitude(p), f(wide ? 0x1p-960 : 0x1p-100)),
                                     out.x.lt(magnitude(q), f(wide ? 0x1p-960 : 0x1p-100))));
    auto either = [&](double large, double small, double plain) {
      return choose(up, f(large), choose(down, f(small), f(plain)));
    };
    ExprP s = out.keep(either(0x1p-4, 0x1p60, 1));
    return Scaled{out.keep(out.x.mul(p, s)), out.keep(out.x.mul(q, s)),
                  either(-4 * std::log(2.0), 60 * std::log(2.0), 0), either(0x1p2, 0x1p-30, 1)};
  };
  auto log_modulus = [&](ExprP p, ExprP q) {
    const Scaled z = scaled(p, q);
    ExprP far = out.x.sub(m1(MathFn::Log, out.x.math(MathFn::Hypot, z.re, z.im)), z.log);
    return of_modulus ? far : log_near_one(out, p, q, far);
  };
  // Numbers so large that adding 1 to their square does not change it.
  ExprP huge = out.x.gt(modulus, f(wide ? 0x1p200 : 0x1p40));
  switch (fn) {
    case LibMap::Exp: {
      auto [rest, scale] = scale_of(re);
      ExprP e = out.keep(m1(MathFn::Exp, rest)), lost = out.keep(out.x.not_(finite(im)));
      // If im is infinite or NaN it has no sine and cosine: the result is 0 for re = -inf, and infinite for re = +inf.
      ExprP gone = out.keep(out.x.both(lost, out.x.eq(re, f(-inf)))), stays = out.x.both(lost, out.x.eq(re, f(inf)));
      return pair(choose(gone, f(0), choose(stays, re, out.x.mul(times(e, m1(MathFn::Cos, im)), scale))),
                  choose(gone, signed_as(0, im), out.x.mul(times(e, m1(MathFn::Sin, im)), scale)));
    }
    case LibMap::Expm1: {
      ExprP e = out.keep(m1(MathFn::Expm1, re)), s = out.keep(m1(MathFn::Sin, out.x.mul(im, f(0.5))));
      return pair(out.x.sub(out.x.mul(e, m1(MathFn::Cos, im)), out.x.mul(f(2), out.x.mul(s, s))),
                  out.x.mul(out.x.add(e, f(1)), m1(MathFn::Sin, im)));
    }
    case LibMap::Log1p: {
      // log|1 + z| without cancellation where it is near 0; elsewhere the sum would cancel
      ExprP size = out.keep(out.x.add(out.x.mul(re, out.x.add(f(2), re)), out.x.mul(im, im))),
            shifted = out.keep(out.x.add(f(1), re));
      ExprP near = out.x.mul(f(0.5), m1(MathFn::Log1p, size)), far = log_modulus(shifted, im);
      return pair(choose(out.x.lt(magnitude(size), f(0.5)), near, far), out.x.math(MathFn::Atan2, im, shifted));
    }
    case LibMap::Log:
      return pair(log_modulus(re, im), angle);
    case LibMap::Log2:
      return pair(out.x.mul(log_modulus(re, im), f(M_LOG2E)), out.x.mul(angle, f(M_LOG2E)));
    case LibMap::Log10:
      return pair(out.x.mul(log_modulus(re, im), f(M_LOG10E)), out.x.mul(angle, f(M_LOG10E)));
    case LibMap::Sqrt: {
      // Half-angle form without cancellation: t = sqrt((|re| + |z|) / 2).
      const Scaled z = scaled(re, im);
      re = z.re;
      im = z.im;
      ExprP half = out.x.add(out.x.mul(magnitude(re), f(0.5)), out.x.mul(out.x.math(MathFn::Hypot, re, im), f(0.5)));
      ExprP upward = out.keep(infinite(im));
      ExprP t = out.keep(out.x.select(upward, f(HUGE_VAL), m1(MathFn::Sqrt, half)));
      ExprP is_zero = out.keep(out.x.eq(t, f(0)));
      ExprP other = out.x.select(is_zero, f(0), out.x.binary(Op::Div, out.x.mul(magnitude(im), f(0.5)), t));
      other = out.keep(out.x.select(upward, f(HUGE_VAL), other));
      ExprP right = out.keep(out.x.ge(re, f(0)));
      ExprP root = out.keep(z.root);
      return pair(out.x.mul(out.x.select(right, t, other), root),
                  out.x.mul(out.x.math(MathFn::Copysign, out.x.select(right, other, t), im), root));
    }
    case LibMap::Atan: {
      // -i atanh(i z), Kahan: without cancellation near the poles +-i.
      ExprP m = out.keep(magnitude(im)), below = out.keep(out.x.sub(f(1), m)), square = out.keep(out.x.mul(re, re));
      ExprP turn =
          out.x.math(MathFn::Atan2, out.x.mul(f(2), re), out.x.sub(out.x.mul(below, out.x.add(f(1), m)), square));
      ExprP near = out.keep(out.x.add(square, out.x.mul(below, below)));
      ExprP height = out.x.mul(f(0.25), m1(MathFn::Log1p, out.x.binary(Op::Div, out.x.mul(f(4), m), near)));
      // So near a pole that the squared distance underflows.
      ExprP pole =
          out.x.mul(f(0.5), out.x.sub(f(std::log(2.0)), m1(MathFn::Log, out.x.math(MathFn::Hypot, re, below))));
      height = choose(out.x.lt(near, f(wide ? 1e-280 : 1e-30)), pole, height);
      // For huge numbers: im / |z|^2, and a quarter turn.
      huge = out.keep(huge);
      const Scaled z = scaled(re, im);
      ExprP size = out.keep(out.x.math(MathFn::Hypot, z.re, z.im)), back = out.x.mul(z.root, z.root);
      ExprP small =
          out.x.binary(Op::Div, out.x.binary(Op::Div, out.x.binary(Op::Div, magnitude(z.im), size), size), back);
      height = choose(huge, small, height);
      turn = choose(huge, signed_as(pi, re), turn);
      ExprP lost = out.keep(out.x.not_(out.x.both(finite(re), finite(im))));
      ExprP far = out.keep(out.x.either(infinite(re), infinite(im)));
      ExprP edge = choose(out.x.both(far, out.x.not_(is_nan(re))), signed_as(pi / 2, re), f(none));
      ExprP rest = choose(out.x.either(far, out.x.eq(im, f(0))), signed_as(0, im), f(none));
      return pair(choose(lost, edge, out.x.mul(f(0.5), turn)),
                  choose(lost, rest, out.x.math(MathFn::Copysign, height, im)));
    }
    case LibMap::Asin:
    case LibMap::Acos: {
      // Kahan, "Branch cuts for complex elementary functions": from the roots of 1 - z and 1 + z.
      ScalarValue p = out.keep(complex_map(out, LibMap::Sqrt, {pair(out.x.sub(f(1), re), out.x.neg(im))}));
      ScalarValue q = out.keep(complex_map(out, LibMap::Sqrt, {pair(out.x.add(f(1), re), im)}));
      auto asinh = [&](ExprP v) {
        v = out.keep(v);
        ExprP a = out.keep(magnitude(v)), root = out.x.math(MathFn::Hypot, f(1), a);
        ExprP r = m1(MathFn::Log1p, out.x.add(a, out.x.mul(a, out.x.binary(Op::Div, a, out.x.add(f(1), root)))));
        return out.x.select(infinite(v), v, out.x.math(MathFn::Copysign, r, v));
      };
      ExprP far = out.keep(out.x.either(infinite(re), infinite(im))),
            lost = out.keep(out.x.either(is_nan(re), is_nan(im)));
      ExprP special = out.keep(out.x.either(far, lost));
      ExprP corner = choose(infinite(re), choose(infinite(im), f(pi / 4), f(pi / 2)), f(0));
      ExprP edge =
          out.keep(choose(lost, choose(out.x.eq(re, f(0)), re, f(none)), out.x.math(MathFn::Copysign, corner, re)));
      ExprP height = out.keep(choose(far, signed_as(inf, im), f(none)));
      // For huge numbers the direction, and the logarithm of twice the magnitude; for tiny ones the number itself.
      huge = out.keep(huge);
      ExprP tall = out.keep(out.x.math(MathFn::Copysign, out.x.add(log_modulus(re, im), f(std::log(2.0))), im));
      auto part = [&](ExprP edge_part, ExprP huge_part, ExprP plain) {
        return choose(special, edge_part, choose(huge, huge_part, plain));
      };
      ExprP tiny = out.keep(out.x.lt(modulus, f(wide ? 0x1p-30 : 0x1p-14)));
      auto flat = [&](ExprP own, ExprP plain) { return choose(tiny, own, plain); };
      if (fn == LibMap::Asin)
        return pair(part(edge, out.x.math(MathFn::Atan2, re, magnitude(im)),
                         out.x.math(MathFn::Atan2, re, out.x.sub(out.x.mul(p.re, q.re), out.x.mul(p.im, q.im)))),
                    part(height, tall, flat(im, asinh(out.x.sub(out.x.mul(p.re, q.im), out.x.mul(p.im, q.re))))));
      return pair(part(out.x.sub(f(pi / 2), edge), out.x.math(MathFn::Atan2, magnitude(im), re),
                       out.x.mul(f(2), out.x.math(MathFn::Atan2, p.re, q.re))),
                  part(out.x.neg(height), out.x.neg(tall),
                       flat(out.x.neg(im), asinh(out.x.sub(out.x.mul(q.re, p.im), out.x.mul(q.im, p.re))))));
    }
    case LibMap::Asinh:
    case LibMap::Acosh:
    case LibMap::Atanh:
      return inverse_hyperbolic(out, fn, args[0]);
    case LibMap::Sin:
    case LibMap::Cos:
    case LibMap::Sinh:
    case LibMap::Cosh: {
      // sin z = -i sinh(i z), cos z = cosh(i z).
      const bool circular = fn == LibMap::Sin || fn == LibMap::Cos, cosine = fn == LibMap::Cos || fn == LibMap::Cosh;
      ExprP a = out.keep(!circular ? re : cosine ? out.x.neg(im) : im), b = circular ? re : im;
      auto [rest, scale] = scale_of(a);
      ExprP sinh = m1(MathFn::Sinh, rest), cosh = m1(MathFn::Cosh, rest), cos = m1(MathFn::Cos, b),
            sin = m1(MathFn::Sin, b);
      scale = out.keep(choose(out.x.lt(scale, f(1)), out.x.binary(Op::Div, f(1), scale), scale));
      ExprP lost = out.keep(out.x.not_(finite(b))), nowhere = out.x.both(lost, out.x.eq(a, f(0)));
      ExprP first = choose(out.x.both(lost, infinite(a)), f(inf), out.x.mul(times(cosine ? cosh : sinh, cos), scale));
      ExprP second = out.x.mul(times(cosine ? sinh : cosh, sin), scale);
      if (cosine)
        second = choose(nowhere, f(0), second);
      else
        first = choose(nowhere, a, first);
      return fn == LibMap::Sin ? pair(second, first) : pair(first, second);
    }
    case LibMap::Tan:
    case LibMap::Tanh: {
      // Kahan's tanh(x + iy), which does not overflow: with t = tan y, b = 1 + t^2, s = sinh x it is
      // (b s sqrt(1 + s^2) + i t) / (1 + b s^2); for large |x|: +-1 + i 4 sin y cos y exp(-2|x|). tan z = -i tanh(i z).
      const bool tan = fn == LibMap::Tan;
      ExprP x = tan ? im : re, y = tan ? re : im;
      ExprP t = out.keep(m1(MathFn::Tan, y)), s = out.keep(m1(MathFn::Sinh, x)), size = out.keep(magnitude(x));
      ExprP b = out.keep(out.x.add(f(1), out.x.mul(t, t))), rho = m1(MathFn::Sqrt, out.x.add(f(1), out.x.mul(s, s)));
      ExprP den = out.keep(out.x.add(f(1), out.x.mul(out.x.mul(b, s), s)));
      ExprP large = out.keep(out.x.gt(size, f(20)));
      ExprP decay = out.x.mul(out.x.mul(f(4), out.x.mul(m1(MathFn::Sin, y), m1(MathFn::Cos, y))),
                              m1(MathFn::Exp, out.x.mul(f(-2), size)));
      ExprP far = out.keep(infinite(x)), lost = out.keep(out.x.not_(out.x.both(finite(x), finite(y))));
      ExprP small = out.x.select(far, signed_as(0, out.x.select(finite(y), t, y)), decay);
      ExprP u = out.keep(out.x.select(large, out.x.math(MathFn::Copysign, f(1), x),
                                      out.x.binary(Op::Div, out.x.mul(out.x.mul(b, rho), s), den)));
      ExprP v = out.keep(out.x.select(large, small, out.x.select(out.x.eq(t, f(0)), t, out.x.binary(Op::Div, t, den))));
      ExprP flat = out.keep(out.x.both(lost, out.x.not_(far))), level = out.keep(out.x.eq(y, f(0)));
      u = out.keep(choose(flat, choose(out.x.either(level, out.x.eq(x, f(0))), x, f(none)), u));
      v = out.keep(choose(flat, choose(level, y, f(none)), v));
      return tan ? pair(v, u) : pair(u, v);
    }
    case LibMap::Sign: {
      const Scaled z = scaled(re, im);
      re = z.re;
      im = z.im;
      ExprP m = out.keep(out.x.math(MathFn::Hypot, re, im)), is_zero = out.keep(out.x.eq(m, f(0))),
            far = out.keep(infinite(m));
      ExprP safe = out.keep(out.x.select(is_zero, f(1), m));
      // An infinite number has the direction of its infinite part, and none (NaN) if both parts are infinite.
      auto direction = [&](ExprP part, ExprP other) {
        return choose(infinite(part), choose(infinite(other), f(none), signed_as(1, part)),
                      choose(infinite(other), f(0), f(none)));
      };
      return pair(choose(is_zero, f(0), choose(far, direction(re, im), out.x.binary(Op::Div, re, safe))),
                  choose(is_zero, f(0), choose(far, direction(im, re), out.x.binary(Op::Div, im, safe))));
    }
    case LibMap::Pow:
      return complex_power(out, args[0], args[1]);
    // Done above
    case LibMap::Real:
    case LibMap::Imag:
    case LibMap::Conj:
    case LibMap::Abs:
    case LibMap::Angle:
    case LibMap::IsNan:
    case LibMap::IsInf:
    case LibMap::IsFinite:
    // Done in map()
    case LibMap::Plus:
    case LibMap::Minus:
    case LibMap::Mult:
    case LibMap::Div:
    case LibMap::Where:
      // functions of real numbers only
#define VR_REAL_Kept(Id)
#define VR_REAL_Dropped(Id)
#define VR_REAL_Refused(Id) case LibMap::Id:
#define VR_LIB_MAP(Id, name, sort, args, elem, complex, values) VR_REAL_##complex(Id)
#include "ir/library.def"
#undef VR_REAL_Kept
#undef VR_REAL_Dropped
#undef VR_REAL_Refused
      break;
  }
  out.unsupported("library function '" + std::string(ir::library(fn).name) + "' on complex numbers");
}

}  // namespace vr::lower
