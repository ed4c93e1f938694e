// Random numbers: the code of support/random_streams.hpp, emitted.
#include "lower/random.hpp"

#include "lower/elementwise.hpp"
#include "support/random_streams.hpp"

namespace vr::lower {

namespace {

/// The arithmetic interface of random_streams.hpp, whose operations make expressions of the loop form.
class Emitted {
 public:
  explicit Emitted(Emitter& out) : out_(out) {}

  struct Value {
    Exprs* x;
    ExprP e;
    friend Value operator+(Value a, Value b) { return {a.x, a.x->add(a.e, b.e)}; }
    friend Value operator-(Value a, Value b) { return {a.x, a.x->sub(a.e, b.e)}; }
    friend Value operator*(Value a, Value b) { return {a.x, a.x->mul(a.e, b.e)}; }
    friend Value operator/(Value a, Value b) { return {a.x, a.x->binary(Op::Div, a.e, b.e)}; }
    friend Value operator%(Value a, Value b) { return {a.x, a.x->binary(Op::Rem, a.e, b.e)}; }
    friend Value operator&(Value a, Value b) { return {a.x, a.x->binary(Op::And, a.e, b.e)}; }
    friend Value operator^(Value a, Value b) { return {a.x, a.x->binary(Op::Xor, a.e, b.e)}; }
    friend Value operator<(Value a, Value b) { return {a.x, a.x->lt(a.e, b.e)}; }
    friend Value operator>(Value a, Value b) { return {a.x, a.x->gt(a.e, b.e)}; }
    friend Value operator>=(Value a, Value b) { return {a.x, a.x->ge(a.e, b.e)}; }
  };
  using U = Value;
  using F = Value;
  using B = Value;

  struct Variable {
    Emitter& out;
    VarId id;
    Value get() const { return {&out.x, out.get(id)}; }
    void set(Value v) const { out.set(id, v.e); }
  };

  Value of(ExprP e) const { return {&out_.x, e}; }
  U u(uint64_t n) const { return of(out_.x.int_const(static_cast<int64_t>(n), Scalar::UInt64)); }
  F f(double x) const { return of(out_.x.float_const(x)); }
  B truth(bool b) const { return of(out_.x.bool_const(b)); }
  Value keep(Value v) const { return of(out_.keep(v.e, "draw")); }
  Value select(B b, Value v, Value w) const { return of(out_.x.select(b.e, v.e, w.e)); }
  B both(B b, B c) const { return of(out_.x.both(b.e, c.e)); }
  B either(B b, B c) const { return of(out_.x.either(b.e, c.e)); }
  B not_(B b) const { return of(out_.x.not_(b.e)); }
  B eq(F x, F y) const { return of(out_.x.eq(x.e, y.e)); }
  F to_float(U n) const { return of(out_.x.convert(n.e, Scalar::Float64)); }
  F sqrt(F x) const { return of(out_.x.math(MathFn::Sqrt, x.e)); }
  F floor(F x) const { return of(out_.x.math(MathFn::Floor, x.e)); }

  Variable variable(Value v) const {
    const VarId id = out_.new_var("draw", v.e->type);
    out_.set(id, v.e);
    return {out_, id};
  }
  template <class Body>
  void when(B b, Body&& body) const {
    out_.emit(If{b.e, out_.collect(body), {}});
  }
  template <class Body>
  void until(Body&& body) const {
    Loop loop;
    loop.brief = true;
    loop.body = out_.collect([&] {
      const B done = body();
      out_.emit(If{done.e, out_.collect([&] { out_.emit(Break{}); }), {}});
    });
    out_.emit(std::move(loop));
  }

 private:
  Emitter& out_;
};

}  // namespace

ScalarValue random_number(Emitter& out, ir::LibMap fn, const std::vector<ScalarValue>& args) {
  using ir::Elem;
  Emitted emitted(out);
  const random::Draws<Emitted> draws(emitted);
  auto word = [&](const ScalarValue& v) { return emitted.of(out.keep(convert(out, v, Elem::UInt64, false).re)); };
  auto number = [](Emitted::Value v, Elem e) { return ScalarValue{v.e, nullptr, e}; };
  const Emitted::U key = word(args[0]), n = word(args[1]);
  switch (ir::library(fn).id) {
    case ir::Lib::RandomBits:
      return number(draws.bits(key, n), Elem::UInt64);
    case ir::Lib::RandomUniform:
      return number(draws.uniform(key, n), Elem::Float64);
    case ir::Lib::RandomInteger: {
      const ExprP count = out.keep(args[2].re), zero = out.x.int_const(0, count->type);
      out.fail_if(is_unsigned(count->type) ? out.x.eq(count, zero) : out.x.le(count, zero), Code::Size,
                  "random_integer: the count must be at least 1");
      const Emitted::U drawn = draws.integer(key, n, word(args[2]));
      return number(emitted.of(out.x.convert(drawn.e, Scalar::Int64)), Elem::Int64);
    }
    case ir::Lib::RandomNormal:
      return number(draws.normal(key, n), Elem::Float64);
    case ir::Lib::RandomExponential:
      return number(draws.exponential(key, n), Elem::Float64);
    case ir::Lib::RandomGamma:
      return number(draws.gamma(key, n, emitted.of(out.keep(convert(out, args[2], Elem::Float64, false).re))), Elem::Float64);
    default:
      out.unsupported("random numbers of '" + std::string(ir::library(fn).name) + "'");
  }
}

}  // namespace vr::lower
