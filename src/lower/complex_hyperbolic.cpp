#include "lower/complex_hyperbolic.hpp"

#include "lower/elementwise.hpp"

namespace vr::lower {

using ir::LibMap;

// asinh z = i asin(-i z), atanh z = i atan(-i z); acosh z is i or -i times acos z, with a real part that is not
// negative.
ScalarValue inverse_hyperbolic(Emitter& out, LibMap fn, ScalarValue z) {
  z = out.keep(z);
  if (fn == LibMap::Acosh) {
    const ScalarValue v = out.keep(complex_map(out, LibMap::Acos, {z}));
    // the sign of a NaN does not count
    const ExprP sign = out.x.select(out.x.ne(z.im, z.im), out.x.float_const(1, z.im->type), z.im);
    return {out.x.math(MathFn::Fabs, v.im), out.x.math(MathFn::Copysign, v.re, sign), z.elem};
  }
  const LibMap circular = fn == LibMap::Asinh ? LibMap::Asin : LibMap::Atan;
  const ScalarValue v = out.keep(complex_map(out, circular, {{z.im, out.x.neg(z.re), z.elem}}));
  return {out.x.neg(v.im), v.re, z.elem};
}

}  // namespace vr::lower
