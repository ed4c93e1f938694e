#include "loop/transform/chosen_in_loop.hpp"

#include "loop/analysis/polynomials.hpp"
#include "loop/walk.hpp"

#include <map>
#include <set>

namespace vr::lower {

/// Whether it sets a Bool to a comparison of numbers whose difference grows or falls with the loop's variable.
static bool is_monotone(Exprs& x, const Function& kernel, const CountedLoop& n, const std::map<VarId, int>& changed,
                        const SetVar& set) {
  const ExprP c = set.value;
  if (changed.at(set.var) != 1 || c->kind != Expr::Kind::Binary || c->a->type != Scalar::Int64 || loads(c))
    return false;
  if (c->op != Op::Lt && c->op != Op::Le && c->op != Op::Gt && c->op != Op::Ge) return false;
  for (VarId v : variables(c))
    if (changed.count(v)) return false;
  Polynomials values(kernel);
  const int32_t k = values.of(x.var(n.var, Scalar::Int64)).terms.begin()->first[0];
  const Polynomial step = coefficient(sum(values.of(c->a), values.of(c->b), -1), k);
  return is_number(step, step.constant()) && !is_number(step, 0);
}

ChosenInLoop::ChosenInLoop(Exprs& x, const Function& kernel, const CountedLoop& n) {
  const auto changed = assignments(n.body);
  std::set<VarId> conditions;
  for (const Stmt& s : n.body) {
    auto* set = std::get_if<SetVar>(&s.node);
    if (!set || !is_monotone(x, kernel, n, changed, *set)) continue;
    conditions.insert(set->var);
    condition = condition ? x.both(condition, set->value) : set->value;
  }
  const auto chosen = [&](ExprP e) -> ExprP {
    const bool known = e->kind == Expr::Kind::Select && e->a->kind == Expr::Kind::Var && conditions.count(e->a->var);
    return known ? e->b : nullptr;
  };
  for (Stmt s : n.body) {
    each_expr_of(s, [&](ExprP& e) { e = replaced(x, e, chosen); });
    body.push_back(std::move(s));
  }
}

}  // namespace vr::lower
