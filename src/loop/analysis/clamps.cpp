#include "loop/analysis/clamps.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr size_t most_clamps = 32;

bool is_order(ExprP e) {
  return e->kind == Expr::Kind::Binary && (e->op == Op::Lt || e->op == Op::Le || e->op == Op::Gt || e->op == Op::Ge);
}

}  // namespace

Unclamped without_clamps(Exprs& x, const Function& kernel) {
  Unclamped r{kernel.body, {}};
  const DimDependence dims(kernel, true);
  const auto times = assignments(kernel.body);
  std::map<VarId, ExprP> values;
  const auto known = [&](ExprP e) {
    const auto used = variables(e);
    return std::none_of(used.begin(), used.end(), [&](VarId v) { return times.count(v) != 0; });
  };
  for (Stmt& s : r.body) {
    auto* set = std::get_if<SetVar>(&s.node);
    if (!set || times.at(set->var) != 1 || loads(set->value)) continue;
    const ExprP e = set->value;
    if (e->kind == Expr::Kind::Select && e->type == Scalar::Int64 && r.active.size() < most_clamps) {
      const ExprP c = substituted(x, e->a, values), p = substituted(x, e->b, values), q = substituted(x, e->c, values);
      const bool extreme = is_order(c) && ((same(c->a, p) && same(c->b, q)) || (same(c->a, q) && same(c->b, p)));
      const bool first = dims.of(e->b) != 0, second = dims.of(e->c) != 0;
      if (extreme && first != second && known(c)) {
        set->value = first ? e->b : e->c;
        r.active.push_back(first ? x.not_(c) : c);
      }
    }
    record_value(x, values, set->var, set->value);
  }
  return r;
}

}  // namespace vr::lower
