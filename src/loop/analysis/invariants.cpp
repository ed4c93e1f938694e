#include "loop/analysis/invariants.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

static void count(const Function& f, const Block& b, const std::set<const If*>& without, std::map<VarId, int>& times) {
  for (const Stmt& s : b) {
    if (auto* n = std::get_if<If>(&s.node); n && without.count(n)) continue;
    each_assigned(f, s, [&](VarId v) { ++times[v]; });
    for (const Block* p : parts(s)) count(f, *p, without, times);
  }
}

std::map<VarId, int> changes(const Function& f, const Block& b, const std::set<const If*>& without) {
  std::map<VarId, int> times;
  count(f, b, without, times);
  return times;
}

bool steady(ExprP e, const std::map<VarId, int>& changed) {
  if (!e) return true;
  switch (e->kind) {
    case Expr::Kind::Var:
      return !changed.count(e->var);
    case Expr::Kind::Load:
      return false;
    case Expr::Kind::Binary:
      if ((e->op == Op::Div || e->op == Op::Rem) && !is_float(e->type)) return false;
      [[fallthrough]];
    default:
      return steady(e->a, changed) && steady(e->b, changed) && steady(e->c, changed);
  }
}

bool always_fails(const Block& b) {
  return std::any_of(b.begin(), b.end(), [](const Stmt& s) {
    if (auto* i = std::get_if<If>(&s.node)) {
      if (i->cond->kind == Expr::Kind::IntConst) return always_fails(i->cond->ival ? i->then_body : i->else_body);
      return always_fails(i->then_body) && always_fails(i->else_body);
    }
    return std::holds_alternative<Fail>(s.node);
  });
}

}  // namespace vr::lower
