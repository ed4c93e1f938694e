#include "loop/analysis/private_arrays.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

namespace {

const SetVar* address_copy(const Stmt& s) {
  auto* set = std::get_if<SetVar>(&s.node);
  return set && set->value->type == Scalar::Ptr ? set : nullptr;
}

}  // namespace

PrivateArrays::PrivateArrays(const Block& body, bool atomics) : body_(body), atomics_(atomics), fit_(find()) {
  fit_ = fit_ && all_uses([&](size_t k, ExprP, Scalar type) {
           if (all_[k].type && *all_[k].type != type) return false;
           all_[k].type = type;
           return true;
         });
}

/// Addresses are copied before they are used, in the order of the statements.
bool PrivateArrays::find() {
  const auto times = assignments(body_);
  return !any_statement(body_, [&](const Stmt& s) {
    if (auto* n = std::get_if<Scratch>(&s.node)) {
      all_.push_back({{n->var}, n->bytes, {}});
      return times.at(n->var) != 1;
    }
    const SetVar* copy = address_copy(s);
    if (!copy) return false;
    const auto k = of(copy->value);
    if (!k || times.at(copy->var) != 1) return true;
    all_[*k].names.insert(copy->var);
    return false;
  });
}

std::optional<size_t> PrivateArrays::of(ExprP base) const {
  if (base->kind != Expr::Kind::Var) return {};
  for (size_t k = 0; k < all_.size(); ++k)
    if (all_[k].names.count(base->var)) return k;
  return {};
}

bool PrivateArrays::all_accesses(const std::function<bool(size_t, ExprP)>& f) const {
  return all_uses([&](size_t k, ExprP offset, Scalar) { return f(k, offset); });
}

bool PrivateArrays::all_uses(const std::function<bool(size_t, ExprP, Scalar)>& f) const {
  bool good = true;
  const auto access = [&](ExprP base, ExprP offset, Scalar type) {
    if (const auto k = of(base)) good = good && f(*k, offset, type);
  };
  const std::function<void(ExprP)> visit = [&](ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) return access(e->a, e->b, e->type), visit(e->b);
    if (of(e)) good = false;
    for (ExprP part : {e->a, e->b, e->c}) visit(part);
  };
  any_statement(body_, [&](const Stmt& s) {
    if (address_copy(s)) return false;
    if (auto* store = std::get_if<Store>(&s.node)) {
      access(store->base, store->offset, store->value->type);
      visit(store->offset);
      visit(store->value);
    } else if (auto* n = std::get_if<Atomic>(&s.node); n && atomics_) {
      access(n->base, n->offset, n->value->type);
      for (ExprP e : {n->offset, n->value, n->expected}) visit(e);
    } else {
      each_expr(s, visit);
    }
    return !good;
  });
  return good;
}

}  // namespace vr::lower
