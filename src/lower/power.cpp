// Powers of integers and of complex numbers.
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "lower/elementwise.hpp"

#include <cmath>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Kind;
using ir::LibMap;

// By squaring; a negative exponent gives 0 except for the bases 1 and -1.
ScalarValue integer_power(Emitter& out, const std::vector<ScalarValue>& args) {
  Elem elem = ir::common_elem(args[0].elem, args[1].elem);
  if (elem == Elem::Bool) elem = Elem::Int32;
  Scalar s = scalar_of(elem);
  ExprP one = out.x.int_const(1, s), z = out.x.int_const(0, s);
  VarId base = out.new_var("base", s), exponent = out.new_var("exponent", s), power = out.new_var("power", s);
  out.set(base, out.x.convert(args[0].re, s));
  out.set(exponent, out.x.convert(args[1].re, s));
  out.set(power, one);
  ExprP b = out.get(base), e = out.get(exponent);
  ExprP odd = out.x.ne(out.x.binary(Op::And, e, one), z);
  out.emit(If{out.x.lt(e, z),
              out.collect([&] {
                out.set(power,
                        out.x.select(out.x.eq(b, one), one,
                                     out.x.select(out.x.eq(b, out.x.int_const(-1, s)), out.x.select(odd, b, one), z)));
                out.set(exponent, z);
              }),
              {},
              true});
  Loop bits{out.collect([&] {
    out.emit(If{out.x.le(e, z), {Stmt{Break{}}}, {}});
    out.emit(If{odd, out.collect([&] { out.set(power, out.x.mul(out.get(power), b)); }), {}});
    out.set(base, out.x.mul(b, b));
    out.set(exponent, out.x.binary(Op::Div, e, out.x.int_const(2, s)));
  })};
  bits.brief = true;
  out.emit(std::move(bits));
  return {out.get(power), nullptr, elem};
}

// exp(w log z), with z^0 = 1; small integer powers by multiplication, as exact as they can be. 0^w is 0 if w's real
// part is positive, and otherwise NaN (MATLAB: an infinite real part if w's is negative).
ScalarValue complex_power(Emitter& out, const ScalarValue& z, const ScalarValue& w) {
  const ExprP re = z.re, im = z.im;
  const Elem elem = z.elem;
  const double inf = HUGE_VAL, none = std::numeric_limits<double>::quiet_NaN();
  auto f = [&](double d) { return out.x.float_const(d, re->type); };
  auto magnitude = [&](ExprP e) { return out.x.math(MathFn::Fabs, e); };
  auto pair = [&](ExprP a, ExprP b) { return ScalarValue{a, b, elem}; };
  auto choose = [&](ExprP c, ExprP a, ExprP b) { return out.x.select(c, a, b); };
  if (w.re->kind == Expr::Kind::FloatConst && is_const(w.im) && w.im->fval == 0 && w.re->fval == 2)
    return complex_binary(out, Kind::Mult, z, z, elem);
  const Scalar s = re->type;
  VarId out_re = out.new_var("power.re", s), out_im = out.new_var("power.im", s);
  auto give = [&](const ScalarValue& v) {
    ExprP a = out.temp(v.re), b = out.temp(v.im);
    out.set(out_re, a);
    out.set(out_im, b);
  };
  ExprP n = out.keep(out.x.convert(w.re, Scalar::Int64), "n");
  ExprP whole = out.x.both(out.x.both(out.x.eq(w.im, f(0)), out.x.eq(out.x.convert(n, s), w.re)),
                           out.x.le(magnitude(w.re), f(1024)));
  Block multiply = out.collect([&] {
    VarId k = out.new_var("k", Scalar::Int64), p_re = out.new_var("base.re", s), p_im = out.new_var("base.im", s);
    ExprP down = out.keep(out.x.lt(n, out.x.int_const(0)));
    out.set(k, out.x.select(down, out.x.sub(out.x.int_const(0), n), n));
    out.set(p_re, re);
    out.set(p_im, im);
    out.emit(If{down,
                out.collect([&] {
                  ScalarValue q = complex_binary(out, Kind::Div, pair(f(1), f(0)), pair(re, im), elem);
                  ExprP a = out.temp(q.re), b = out.temp(q.im);
                  out.set(p_re, a);
                  out.set(p_im, b);
                }),
                {}});
    VarId started = out.new_var("started", Scalar::Bool);
    out.set(started, out.x.bool_const(false));
    out.set(out_re, f(1));
    out.set(out_im, f(0));
    const ExprP left = out.get(k), one = out.x.int_const(1);
    auto product = [&](VarId to_re, VarId to_im) {
      ScalarValue q = complex_binary(out, Kind::Mult, pair(out.get(to_re), out.get(to_im)),
                                     pair(out.get(p_re), out.get(p_im)), elem);
      ExprP a = out.temp(q.re), b = out.temp(q.im);
      out.set(to_re, a);
      out.set(to_im, b);
    };
    Loop bits{out.collect([&] {
      out.emit(If{out.x.le(left, out.x.int_const(0)), {Stmt{Break{}}}, {}});
      out.emit(If{out.x.ne(out.x.binary(Op::And, left, one), out.x.int_const(0)),
                  out.collect([&] {
                    // The first factor is copied, because the product of an infinity with 1 + 0i contains NaN.
                    out.emit(If{out.get(started), out.collect([&] { product(out_re, out_im); }), out.collect([&] {
                                  out.set(out_re, out.get(p_re));
                                  out.set(out_im, out.get(p_im));
                                  out.set(started, out.x.bool_const(true));
                                })});
                  }),
                  {}});
      product(p_re, p_im);
      out.set(k, out.x.binary(Op::Div, left, out.x.int_const(2)));
    })};
    bits.brief = true;
    out.emit(std::move(bits));
  });
  Block general = out.collect([&] {
    ScalarValue log_z = complex_map(out, LibMap::Log, {z}, true);
    give(complex_map(out, LibMap::Exp, {complex_binary(out, Kind::Mult, log_z, w, elem)}));
  });
  out.emit(If{whole, std::move(multiply), std::move(general)});
  ExprP base_zero = out.keep(out.x.both(out.x.eq(re, f(0)), out.x.eq(im, f(0))));
  ExprP w_zero = out.keep(out.x.both(out.x.eq(w.re, f(0)), out.x.eq(w.im, f(0))));
  ExprP vanishes = out.keep(out.x.gt(w.re, f(0)));
  ExprP nowhere = out.conv.mindims == 2 ? choose(out.x.lt(w.re, f(0)), f(inf), f(none)) : f(none);
  return pair(choose(w_zero, f(1), choose(base_zero, choose(vanishes, f(0), nowhere), out.get(out_re))),
              choose(w_zero, f(0), choose(base_zero, choose(vanishes, f(0), f(none)), out.get(out_im))));
}

}  // namespace vr::lower
