#include "loop/renamed.hpp"

#include "loop/writer.hpp"

#include <utility>

namespace vr::lower {

ExprP renamed(Exprs& x, ExprP e, const std::map<VarId, VarId>& names) {
  if (!e || is_const(e) || e->kind == Expr::Kind::Null) return e;
  if (e->kind == Expr::Kind::Var) {
    auto it = names.find(e->var);
    return it == names.end() ? e : x.var(it->second, e->type);
  }
  return with_parts(x, e, [&](ExprP part) { return renamed(x, part, names); });
}

Stmt renamed(Exprs& x, Stmt s, const std::map<VarId, VarId>& names) {
  const auto assigned = [&](VarId& v) {
    if (auto it = names.find(v); it != names.end()) v = it->second;
  };
  each_expr_of(s, [&](ExprP& e) { e = renamed(x, e, names); });
  if (auto* n = std::get_if<SetVar>(&s.node)) assigned(n->var);
  if (auto* n = std::get_if<CountedLoop>(&s.node)) assigned(n->var);
  if (auto* n = std::get_if<Atomic>(&s.node)) assigned(n->result);
  for (Block* p : parts(s))
    for (Stmt& inner : *p) inner = renamed(x, std::move(inner), names);
  return s;
}

VarId variable_like(Exprs& x, Function& fn, VarId v) {
  const Var like = fn.vars[static_cast<size_t>(v)];
  const VarId made = Writer(x, fn).new_var(like.name, like.type);
  if (fn.narrow.count(v)) fn.narrow.insert(made);
  return made;
}

std::map<VarId, VarId> variables_like(Exprs& x, Function& fn, const Stmt& s) {
  std::map<VarId, VarId> names;
  for (const auto& [v, times] : assignments(Block{s})) names[v] = variable_like(x, fn, v);
  return names;
}

}  // namespace vr::lower
