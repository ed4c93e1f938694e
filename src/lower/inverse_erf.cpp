// erfinv and erfcinv: the code of support/inverse_erf.hpp, emitted.
#include "lower/inverse_erf.hpp"

#include "support/inverse_erf.hpp"

namespace vr::lower {

namespace {

/// The arithmetic interface of support/inverse_erf.hpp, whose operations make expressions of one floating type.
class EmittedFloats {
 public:
  EmittedFloats(Emitter& out, Scalar type) : out_(out), type_(type) {}

  struct F {
    Exprs* x;
    ExprP e;
    friend F operator+(F a, F b) { return {a.x, a.x->add(a.e, b.e)}; }
    friend F operator-(F a, F b) { return {a.x, a.x->sub(a.e, b.e)}; }
    friend F operator*(F a, F b) { return {a.x, a.x->mul(a.e, b.e)}; }
    friend F operator/(F a, F b) { return {a.x, a.x->binary(Op::Div, a.e, b.e)}; }
    friend F operator<(F a, F b) { return {a.x, a.x->lt(a.e, b.e)}; }
    friend F operator<=(F a, F b) { return {a.x, a.x->le(a.e, b.e)}; }
  };
  F of(ExprP e) const { return {&out_.x, e}; }
  F f(double x) const { return of(out_.x.float_const(x, type_)); }
  F keep(F v) const { return of(out_.keep(v.e, "quantile")); }
  F select(F b, F v, F w) const { return of(out_.x.select(b.e, v.e, w.e)); }
  F abs(F v) const { return of(out_.x.math(MathFn::Fabs, v.e)); }
  F log(F v) const { return of(out_.x.math(MathFn::Log, v.e)); }
  F sqrt(F v) const { return of(out_.x.math(MathFn::Sqrt, v.e)); }
  F copysign(F size, F sign) const { return of(out_.x.math(MathFn::Copysign, size.e, sign.e)); }

 private:
  Emitter& out_;
  Scalar type_;
};

}  // namespace

ExprP inverse_erf(Emitter& out, ExprP y, bool complement) {
  // Rounded once, at the end, as in the interpreter; devices may have no type wider than float32.
  const Scalar type = y->type;
  const bool single = type == Scalar::Float32 && out.fn.kind != Function::Kind::Kernel;
  if (single) y = out.x.convert(y, Scalar::Float64);
  EmittedFloats floats(out, y->type);
  const InverseErf<EmittedFloats> inverse(floats);
  const EmittedFloats::F v = floats.keep(floats.of(y));
  return out.x.convert((complement ? inverse.of_erfc(v) : inverse.of_erf(v)).e, type);
}

}  // namespace vr::lower
