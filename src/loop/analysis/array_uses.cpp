#include "loop/analysis/array_uses.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

void ArrayUses::add(const ArrayUses& o) {
  loaded.insert(o.loaded.begin(), o.loaded.end());
  stored.insert(o.stored.begin(), o.stored.end());
}

ArrayUses array_uses(const Block& b) {
  ArrayUses r;
  const auto base = [](ExprP e) { return e->kind == Expr::Kind::Var ? e->var : none; };
  any_statement(b, [&](const Stmt& s) {
    each_access(s, [&](const ElementAccess& a) { (a.is_store ? r.stored : r.loaded).insert(base(a.base)); });
    if (auto* n = std::get_if<Atomic>(&s.node)) r.stored.insert(base(n->base));
    return false;
  });
  return r;
}

ArrayUses array_uses(ExprP e) { return array_uses(Block{{SetVar{none, e}, none}}); }

}  // namespace vr::lower
