#include "lower/complex_log.hpp"

#include <utility>

namespace vr::lower {

namespace {

/// The rounded square, and its rounding error (Dekker 1971, 5.12).
std::pair<ExprP, ExprP> square(Emitter& out, ExprP v) {
  const double split = v->type == Scalar::Float64 ? 0x1p27 + 1 : 0x1p12 + 1;
  ExprP c = out.keep(out.x.mul(v, out.x.float_const(split, v->type))), high = out.keep(out.x.sub(c, out.x.sub(c, v)));
  ExprP low = out.keep(out.x.sub(v, high)), s = out.keep(out.x.mul(v, v));
  ExprP cross = out.x.mul(out.x.mul(out.x.float_const(2, v->type), high), low);
  return {s, out.x.add(out.x.add(out.x.sub(out.x.mul(high, high), s), cross), out.x.mul(low, low))};
}

}  // namespace

// Rounding |z| loses the digits of a logarithm near 0. log|z| is log1p(|z|^2 - 1) / 2, and |z|^2 - 1 is computed as a sum
// whose cancelling terms are exact.
ExprP log_near_one(Emitter& out, ExprP p, ExprP q, ExprP otherwise) {
  auto f = [&](double d) { return out.x.float_const(d, p->type); };
  ExprP a = out.keep(out.x.math(MathFn::Fabs, p)), b = out.keep(out.x.math(MathFn::Fabs, q));
  ExprP large = out.keep(out.x.max(a, b)), small = out.keep(out.x.min(a, b));
  const auto [large2, large_error] = square(out, large);
  const auto [small2, small_error] = square(out, small);
  ExprP above = out.x.add(out.x.mul(out.x.sub(large, f(1)), out.x.add(large, f(1))), small2);
  ExprP below = out.x.add(out.x.add(out.x.sub(large2, f(1)), small2), out.x.add(large_error, small_error));
  ExprP size = out.keep(out.x.select(out.x.ge(large, f(1)), above, below));
  // max and min of a number and NaN are the number.
  ExprP numbers = out.x.both(out.x.eq(a, a), out.x.eq(b, b));
  ExprP near = out.x.both(out.x.lt(out.x.math(MathFn::Fabs, size), f(0.5)), numbers);
  return out.x.select(near, out.x.mul(f(0.5), out.x.math(MathFn::Log1p, size)), otherwise);
}

}  // namespace vr::lower
