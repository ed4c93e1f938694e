#include "loop/analysis/nest.hpp"

#include "loop/analysis/invariants.hpp"
#include "loop/walk.hpp"

namespace vr::lower {

namespace {

void read_first(const Block& b, const std::set<VarId>& own, std::set<VarId> assigned, std::set<VarId>& found) {
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) {
      for (VarId v : variables(e))
        if (own.count(v) && !assigned.count(v)) found.insert(v);
    });
    if (auto* n = std::get_if<SetVar>(&s.node)) assigned.insert(n->var);
    if (auto* n = std::get_if<CountedLoop>(&s.node)) {
      std::set<VarId> inside = assigned;
      inside.insert(n->var);
      read_first(n->body, own, std::move(inside), found);
    }
  }
}

bool choose(Exprs& x, Block& b, const LinearForms& forms, bool first, bool& any, ExprP& all) {
  for (Stmt& s : b) {
    if (auto* n = std::get_if<If>(&s.node)) {
      const bool forms_of_loop = n->then_body.size() == 1 && n->else_body.size() == 1 &&
                                 std::holds_alternative<CountedLoop>(n->then_body[0].node) &&
                                 std::holds_alternative<CountedLoop>(n->else_body[0].node);
      if (n->unlikely || !forms_of_loop || !forms.is_invariant(n->cond)) return false;
      any = true;
      all = x.both(all, n->cond);
      Stmt chosen = std::move((first ? n->then_body : n->else_body)[0]);
      s = std::move(chosen);
    }
    for (Block* p : parts(s))
      if (!choose(x, *p, forms, first, any, all)) return false;
  }
  return true;
}

}  // namespace

bool is_leaf(const CountedLoop& n) { return !has<CountedLoop>(n.body); }

bool is_plain(const CountedLoop& n) {
  return !n.fallback && !n.across && !n.element && !n.chunks && !n.parallel && !n.version && n.unroll == 0 && !n.spread;
}

std::set<VarId> read_before_assigned(const Function& fn, const Block& b) {
  std::set<VarId> own, found;
  for (const auto& [v, times] : changes(fn, b)) own.insert(v);
  read_first(b, own, {}, found);
  return found;
}

std::set<VarId> assigned_first(const Block& b) {
  std::set<VarId> first, named;
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) { named.merge(variables(e)); });
    if (auto* n = std::get_if<SetVar>(&s.node); n && named.insert(n->var).second) first.insert(n->var);
    for (const Block* p : parts(s)) {
      named.merge(variables(*p));
      for (const auto& [v, times] : assignments(*p)) named.insert(v);
    }
  }
  return first;
}

ExprP substituted(Exprs& x, ExprP e, const std::map<VarId, ExprP>& values) {
  if (!e) return e;
  if (e->kind == Expr::Kind::Var) {
    const auto it = values.find(e->var);
    return it == values.end() ? e : it->second;
  }
  return with_parts(x, e, [&](ExprP part) { return substituted(x, part, values); });
}

bool record_value(Exprs& x, std::map<VarId, ExprP>& values, VarId v, ExprP value) {
  constexpr int64_t most_nodes = 256;
  const ExprP whole = substituted(x, value, values);
  if (nodes(whole) > most_nodes) {
    values.erase(v);
    return false;
  }
  values[v] = whole;
  return true;
}

bool choose_forms(const Function& fn, Exprs& x, CountedLoop& n, bool first, ExprP& all) {
  if (!is_plain(n) || is_leaf(n)) return false;
  const LinearForms forms(fn, n);
  bool any = false;
  return choose(x, n.body, forms, first, any, all) && any;
}

}  // namespace vr::lower
