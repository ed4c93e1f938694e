#include "loop/transform/load_in_front.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <utility>

namespace vr::lower {

namespace {

/// Whether two elements are at most three apart, and not the same, in a row.
bool are_neighbours(const ElementAccess& a, const ElementAccess& b) {
  if (a.type != b.type || !same(a.base, b.base)) return false;
  ExprP p = a.offset, q = b.offset;
  for (; p && q && p->kind == Expr::Kind::At && q->kind == Expr::Kind::At && p->c && q->c; p = p->c, q = q->c)
    if (!same(p->a, q->a) || !same(p->b, q->b)) return false;
  if (!p || !q || p->kind != Expr::Kind::At || q->kind != Expr::Kind::At || p->c || q->c) return false;
  // Their strides may differ: a subscript of 0 has none.
  const auto [base, first] = without_constant(p->a);
  const auto [other, second] = without_constant(q->a);
  constexpr int64_t most_apart = 3;
  const int64_t apart = first > second ? first - second : second - first;
  return same(base, other) && apart != 0 && apart <= most_apart;
}

}  // namespace

void load_in_front(Writer& out, If& n, FunctionView<bool(const Expr&)> in_range) {
  if (n.unlikely) return;
  std::vector<ElementAccess> beside;
  for (const Stmt& s : *out.block)
    if (std::holds_alternative<SetVar>(s.node))
      each_access(s, [&](const ElementAccess& load) { beside.push_back(load); });
  if (beside.empty()) return;
  const std::set<VarId> read_only = read_only_arrays(out.fn);
  std::map<VarId, int> assigned = assignments(n.then_body);
  assigned.merge(assignments(n.else_body));
  const auto moves = [&](ExprP load) -> ExprP {
    if (load->kind != Expr::Kind::Load || load->a->kind != Expr::Kind::Var || !read_only.count(load->a->var))
      return nullptr;
    const auto used = variables(load);
    if (std::any_of(used.begin(), used.end(), [&](VarId v) { return assigned.count(v) != 0; })) return nullptr;
    const ElementAccess own{load->a, load->b, load->type, load->alias_set, false};
    if (std::none_of(beside.begin(), beside.end(), [&](const ElementAccess& e) { return are_neighbours(own, e); }) ||
        !in_range(*load))
      return nullptr;
    return out.temp(load, "beside");
  };
  for (Block* b : {&n.then_body, &n.else_body})
    for (Stmt& s : *b)
      if (std::holds_alternative<SetVar>(s.node)) each_expr_of(s, [&](ExprP& e) { e = replaced(out.x, e, moves); });
}

}  // namespace vr::lower
