// Expressions whose last digits depend on the target: libm, sums and products of floats. They are combined only with
// operations that keep a relative error small, so that results can be compared within a tolerance.
#include "generator.hpp"

namespace vr::smith {

/// Values in (0, 1], or NaN: valid for long sums and for functions with a small domain.
ExprPtr FunctionGen::moderate(Elem e, const std::optional<Shape>& s, int depth) {
  ExprPtr x = s ? array(e, false, *s, depth) : scalar(e, false, depth);
  ExprPtr d = binary(Kind::Plus, lib("abs", {x}), float_const(1, e));
  return to(binary(Kind::Div, float_const(1, e), d), e, false);
}

ExprPtr FunctionGen::inexact_scalar(Elem e, int depth) {
  Variable* old = any([&](const Variable& x) { return x.type == Type::scalar(e) && !x.exact; });
  switch (rng.weighted({40, 35, old ? 15 : 0, old ? 10 : 0})) {
    case 0: {
      const char* wide[] = {"sin", "cos", "tan", "exp", "atan", "tanh", "erf", "sinh", "cosh", "expm1",
                            "cbrt", "asinh"};
      const char* narrow[] = {"asin", "acos", "log",  "log2",  "log10", "log1p", "exp",    "sin",
                              "tan",  "erf",  "erfc", "gamma", "atanh", "acosh", "erfinv", "erfcinv"};
      // Not close to its zeros at 1 and 2.
      if (rng.chance(4)) return lib("lgamma", {binary(Kind::Plus, moderate(e, {}, depth), float_const(4, e))});
      if (rng.chance(6)) return lib("angle", {scalar(e, rng.chance(70), depth)});
      if (rng.chance(50)) return lib(wide[rng.below(12)], {scalar(e, false, depth)});
      if (rng.chance(70)) return lib(narrow[rng.below(16)], {moderate(e, {}, depth)});
      return lib(rng.pick({"hypot", "atan2", "pow"}), {moderate(e, {}, depth), scalar(e, false, depth)});
    }
    case 1: {
      Variable* v = any([&](const Variable& x) { return x.type.is_array() && x.shape && readable(x); });
      if (!v || (parallel_ && parallel_->kernel)) return lib("sin", {scalar(e, false, depth)});
      ExprPtr a = moderate(e, v->shape, depth);
      if (!m_.matlab() && v->shape->size() == 1 && rng.chance(25)) return lib("dot", {a, a});
      if (v->shape->size() <= 2 && rng.chance(20)) return to(lib("norm", {a}), e, false);
      ExprPtr r = lib(rng.pick({"sum", "mean", "prod", "sum"}), {a});
      if (!r->type.is_array()) return r;
      for (int k = 0; k < v->type.rank; ++k) r = lib("sum", {r, int_const(k + m_.base())});
      return lib("scalar", {r});
    }
    case 2:
      return binary(Kind::Mult, name(*old), moderate(e, {}, depth));
    default:
      return make<ir::Negate>(name(*old));
  }
}

ExprPtr FunctionGen::inexact_array(Elem e, const Shape& s, int depth) {
  Variable* old = any([&](const Variable& x) {
    return x.type.is_array() && x.type.elem == e && !x.type.complex && x.shape == s && !x.exact;
  });
  switch (rng.weighted({40, 15, 15, 15, old ? 15 : 0})) {
    case 0:
      if (s.size() == 2 && s[0] > 0 && s[1] > 0 && rng.chance(15)) {
        // A well-conditioned system: a multiple of the identity plus small values.
        const bool left = rng.chance(50);
        const int64_t n = s[left ? 0 : 1];
        const Type t = Type::array(e, 2, ir::fresh_layout(m_.conv));
        ExprPtr a =
            binary(Kind::Mult, lib("eye", {int_const(n), int_const(n)}, t), float_const(static_cast<double>(4 * n), e));
        a = binary(Kind::Plus, a, array_leaf(Elem::Bool, false, {n, n}));
        ExprPtr b = moderate(e, s, depth);
        return left ? lib("mldiv", {a, b}) : lib("mrdiv", {b, a});
      }
      return lib(rng.pick({"sin", "cos", "exp", "log", "tanh", "atan", "sqrt", "log1p", "expm1", "log2"}),
                 {moderate(e, s, depth)});
    case 1: {  // along an axis
      Shape from = s;
      int64_t axis;
      if (m_.matlab()) {
        axis = rng.below(static_cast<int64_t>(s.size()));
        if (s[static_cast<size_t>(axis)] != 1) throw Retry{};
        from[static_cast<size_t>(axis)] = rng.range(0, 6);
      } else {
        if (s.size() > 2) throw Retry{};
        axis = rng.below(static_cast<int64_t>(s.size()) + 1);
        from.insert(from.begin() + axis, rng.range(0, 6));
      }
      return lib(rng.pick({"sum", "mean", "prod"}), {moderate(e, from, depth), int_const(axis + m_.base())});
    }
    case 2: {
      const int64_t inner = rng.range(0, 6);
      if (s.size() == 2)
        return lib("mmult", {moderate(e, Shape{s[0], inner}, depth), moderate(e, Shape{inner, s[1]}, depth)});
      if (s.size() != 1) throw Retry{};
      return lib("mmult", {moderate(e, Shape{s[0], inner}, depth), moderate(e, Shape{inner}, depth)});
    }
    case 3: {
      std::vector<ExprPtr> args{moderate(e, s, depth)};
      if (s.size() > 1 || m_.matlab()) args.push_back(int_const(rng.below(static_cast<int64_t>(s.size())) + m_.base()));
      return lib(rng.pick({"cumsum", "cumprod"}), std::move(args));
    }
    default:
      return rng.chance(50) ? make<ir::Negate>(name(*old)) : binary(Kind::Mult, name(*old), moderate(e, s, depth));
  }
}

}  // namespace vr::smith
