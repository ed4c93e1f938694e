#include "loop/analysis/used_outside.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

UsedOutside::UsedOutside(const Function& fn, const Block& whole, const CountedLoop& loop)
    : UsedOutside(fn, whole, loop.body) {
  add(loop.var, -1);
  count(loop.lo, -1);
  count(loop.hi, -1);
}

UsedOutside::UsedOutside(const Function& fn, const Block& whole, const Block& part) : times_(fn.vars.size()) {
  count(fn, whole, 1);
  count(fn, part, -1);
}

void UsedOutside::count(const Function& fn, const Block& b, int64_t step) {
  any_statement(b, [&](const Stmt& s) {
    each_expr(s, [&](ExprP e) { count(e, step); });
    each_assigned(fn, s, [&](VarId v) { add(v, step); });
    each_handed_over(fn, s, [&](VarId v) { add(v, step); });
    return false;
  });
}

void UsedOutside::count(ExprP e, int64_t step) {
  if (!e) return;
  if (e->kind == Expr::Kind::Var) add(e->var, step);
  for (ExprP part : {e->a, e->b, e->c}) count(part, step);
}

void UsedOutside::add(VarId v, int64_t step) {
  if (static_cast<size_t>(v) >= times_.size()) times_.resize(static_cast<size_t>(v) + 1);
  times_[static_cast<size_t>(v)] += step;
}

}  // namespace vr::lower
