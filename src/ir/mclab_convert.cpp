#include "ir/mclab_convert.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vr::ir::mclab {

const Expr* constant_of(const ExprPtr& e) {
  if (const auto* n = as<Negate>(e)) return constant_of(n->operand);
  return e->kind == Kind::IntConst || e->kind == Kind::FloatConst ? e.get() : nullptr;
}

bool integral_constant(const ExprPtr& e) {
  const Expr* c = constant_of(e);
  if (!c) return false;
  if (c->kind == Kind::IntConst) return true;
  double v = static_cast<const FloatConst&>(*c).value;
  return v == std::floor(v) && std::abs(v) < 1e15;
}

ExprPtr to_elem(Builder& out, const ExprPtr& e, Elem elem, bool complex) {
  if (!e->type.is_numeric() || (e->type.elem == elem && e->type.complex == complex)) return e;
  if (e->type.is_scalar() && !complex) {
    if (const auto* c = as<IntConst>(e)) {
      if (elem == Elem::Bool) return out.make_as<IntConst>(Type::scalar(elem), e->pos, int64_t{c->value != 0});
      if (is_float(elem)) return out.make_as<FloatConst>(Type::scalar(elem), e->pos, static_cast<double>(c->value));
      if (elem == Elem::Int64 || c->value == static_cast<int32_t>(c->value))
        return out.make_as<IntConst>(Type::scalar(elem), e->pos, c->value);
    }
    if (const auto* c = as<FloatConst>(e)) {
      if (is_float(elem)) return out.make_as<FloatConst>(Type::scalar(elem), e->pos, c->value);
      if (elem != Elem::Bool && c->value == std::floor(c->value) && std::abs(c->value) < 2e9)
        return out.make_as<IntConst>(Type::scalar(elem), e->pos, static_cast<int64_t>(c->value));
    }
    if (const auto* n = as<Negate>(e); n && constant_of(e) && elem != Elem::Bool)
      return out.make<Negate>(e->pos, to_elem(out, n->operand, elem, false));
  }
  Type t = e->type;
  t.elem = elem;
  t.complex = complex;
  if (const auto* a = as<Alloc>(e)) return out.make_as<Alloc>(t, e->pos, a->func, a->args);
  return out.make_as<Cast>(t, e->pos, e);
}

ExprPtr to_float(Builder& out, const ExprPtr& e) {
  return is_float(e->type.elem) ? e : to_elem(out, e, Elem::Float64, e->type.complex);
}

ExprPtr to_int32(Builder& out, const ExprPtr& e) {
  if (e->type.elem == Elem::Int32) return e;
  if (!is_float(e->type.elem) || integral_constant(e)) return to_elem(out, e, Elem::Int32, false);
  return to_elem(out, out.lib(e->pos, "round", {e}), Elem::Int32, false);
}

ExprPtr to_scalar(Builder& out, const ExprPtr& e) {
  if (!e->type.is_array()) return e;
  // scalar(reshape(s, 1, 1)) is simplified to s.
  if (const auto* c = as<LibCall>(e); c && c->func == "reshape" && c->args[0]->type.is_scalar()) return c->args[0];
  return out.lib(e->pos, "scalar", {e});
}

ExprPtr to_array(Builder& out, const ExprPtr& e, int rank) {
  if (!e->type.is_numeric()) return e;
  if (e->type.is_array() && e->type.rank == rank) return e;
  if (e->type.is_scalar()) {
    std::vector<ExprPtr> args{e};
    for (int k = 0; k < rank; ++k) args.push_back(out.integer(1, e->pos));
    return out.lib(e->pos, "reshape", std::move(args));
  }
  if (e->type.rank > rank)
    out.refuse(e->pos, "rank", fmt::format("a value of rank {} where rank {} is stated", e->type.rank, rank));
  ExprPtr whole = out.named(e, "wide_temp");
  std::vector<ExprPtr> args{whole};
  for (int k = 1; k <= rank; ++k)
    args.push_back(k <= whole->type.rank ? out.make<Dim>(e->pos, static_cast<const Name&>(*whole).id, k)
                                         : out.integer(1, e->pos));
  return out.lib(e->pos, "reshape", std::move(args));
}

ExprPtr fit(Builder& out, const ExprPtr& e, const Type& place) {
  if (!e->type.is_numeric() || !place.is_numeric()) {
    if (!converts(e->type, place))
      out.refuse(e->pos, "type-mismatch", fmt::format("{} where {} is needed", e->type.text(), place.text()));
    return e;
  }
  ExprPtr v = place.is_scalar() ? to_scalar(out, e) : to_array(out, e, place.rank);
  if (v->type.complex && !place.complex)
    out.refuse(e->pos, "type-mismatch", fmt::format("{} where {} is needed", e->type.text(), place.text()));
  return place.elem == Elem::Int32 && !place.complex ? to_int32(out, v) : to_elem(out, v, place.elem, place.complex);
}

ExprPtr condition(Builder& out, const ExprPtr& e) {
  if (!e->type.is_numeric()) out.refuse(e->pos, "condition-type", fmt::format("the condition is {}", e->type.text()));
  ExprPtr c = e->type.complex ? out.make<Neq>(e->pos, e, out.number(0, e->pos)) : e;
  const int rank = c->type.is_array() ? c->type.rank : 0;
  if (rank == 0) return to_scalar(out, c);
  // True if there are elements and none is zero: the mean of the truth values is then 1; without elements it is NaN.
  // (`all` of an empty array is true, and the expression must not be evaluated twice.)
  c = out.make<Neq>(e->pos, c, out.number(0, e->pos));
  for (int k = 0; k < rank; ++k) c = out.lib(e->pos, "mean", {c});
  return out.make<Eq>(e->pos, to_scalar(out, c), out.number(1, e->pos));
}

}  // namespace vr::ir::mclab
