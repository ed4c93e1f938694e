#include "lower/last_uses.hpp"

#include "analysis/live_vars.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::lower {

namespace {
bool assigns(const ir::ExprPtr& target, ir::SymbolId id) {
  if (auto* n = ir::as<ir::Name>(target)) return n->id == id;
  auto* t = ir::as<ir::TupleExpr>(target);
  return t && std::any_of(t->elems.begin(), t->elems.end(), [&](auto& e) { return assigns(e, id); });
}
}  // namespace

LastUses::LastUses(const ir::Function& f) : function_(f), uses_(f) {
  analysis::LiveVars live = analysis::live_vars(f);
  for (int k = 0; k < live.statements.count(); ++k) {
    const ir::Stmt* s = live.statements.at(k).stmt;
    if (s->kind != ir::Kind::Assign && s->kind != ir::Kind::ExprStmt && s->kind != ir::Kind::Return) continue;
    analysis::Bits& after = live.after[static_cast<size_t>(k)];
    if (auto [it, fresh] = live_.try_emplace(s, after); !fresh) it->second.join(after);
  }
}

bool LastUses::ends_with(const ir::Stmt& s, ir::SymbolId id) const {
  auto it = live_.find(&s);
  if (it == live_.end()) return false;
  if (auto* a = ir::as<ir::Assign>(&s))
    if (std::any_of(a->targets.begin(), a->targets.end(), [&](auto& t) { return assigns(t, id); })) return true;
  const auto& all = function_.symbols.all();
  auto at = std::lower_bound(all.begin(), all.end(), id, [](const ir::Symbol& x, auto i) { return x.id < i; });
  return at != all.end() && at->id == id && !it->second.test(static_cast<size_t>(at - all.begin()));
}

const ir::Stmt* LastUses::only_allocation(ir::SymbolId id) const {
  const ir::Stmt* found = nullptr;
  int times = 0;
  ir::walk_stmts(function_.body, [&](const ir::Stmt& s) {
    auto* a = ir::as<ir::Assign>(&s);
    if (!a || std::none_of(a->targets.begin(), a->targets.end(), [&](auto& t) { return assigns(t, id); })) return;
    ++times;
    if (a->value->kind == ir::Kind::Alloc) found = &s;
  });
  return times == 1 ? found : nullptr;
}

int LastUses::mentions(const ir::ExprPtr& e, ir::SymbolId id) const {
  int n = 0;
  uses_.in(e, [&](ir::SymbolId used) { n += used == id; });
  return n;
}

int LastUses::mentions(const ir::Stmt& s, ir::SymbolId id) const {
  int n = 0;
  auto target = [&](auto& self, const ir::ExprPtr& t) -> void {
    if (auto* tuple = ir::as<ir::TupleExpr>(t))
      for (const ir::ExprPtr& e : tuple->elems) self(self, e);
    else if (t->kind != ir::Kind::Name)
      n += mentions(t, id);
  };
  auto* a = ir::as<ir::Assign>(&s);
  if (a) {
    for (const ir::ExprPtr& t : a->targets) target(target, t);
    return n + mentions(a->value, id);
  }
  ir::for_each_child(s, {[&](const ir::ExprPtr& e) { n += mentions(e, id); }, {}});
  return n;
}

}  // namespace vr::lower
