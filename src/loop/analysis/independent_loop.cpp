#include "loop/analysis/independent_loop.hpp"

#include "loop/analysis/carried_reduction.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <map>

namespace vr::lower {

bool is_iteration_number(const CountedLoop& loop, ExprP e) {
  if (e->kind != Expr::Kind::Var) return false;
  if (e->var == loop.var) return true;
  const auto times = assignments(loop.body);
  return std::any_of(loop.body.begin(), loop.body.end(), [&](const Stmt& s) {
    auto* n = std::get_if<SetVar>(&s.node);
    if (!n || n->var != e->var || times.at(n->var) != 1) return false;
    // lo + number is as good.
    const auto outside = [&](ExprP o) {
      const auto used = variables(o);
      return !loads(o) &&
             std::none_of(used.begin(), used.end(), [&](VarId v) { return v == loop.var || times.count(v) != 0; });
    };
    const auto number = [&](ExprP o) { return o->kind == Expr::Kind::Var && o->var == loop.var; };
    return number(n->value) ||
           (n->value->kind == Expr::Kind::Binary && n->value->op == Op::Add &&
            ((number(n->value->a) && outside(n->value->b)) || (number(n->value->b) && outside(n->value->a))));
  });
}

bool is_own_element(const CountedLoop& loop, ExprP offset) {
  if (offset->kind != Expr::Kind::At) return false;
  const auto inside = assignments(loop.body);
  const auto differs = [&](ExprP e) {
    const auto used = variables(e);
    return loads(e) ||
           std::any_of(used.begin(), used.end(), [&](VarId v) { return v == loop.var || inside.count(v) != 0; });
  };
  int own = 0;
  for (ExprP axis = offset; axis; axis = axis->c) {
    if (differs(axis->b)) return false;
    if (is_iteration_number(loop, axis->a))
      ++own;
    else if (differs(axis->a))
      return false;
  }
  return own == 1;
}

namespace {

/// Whether the loop is assignments, conditions, loops, stores to elements of each iteration's own and integer atomics.
bool stores_are_own(const Function& fn, const CountedLoop& loop) {
  std::map<VarId, ExprP> stored;     // the address of each array
  std::set<VarId> counted, results;  // arrays that atomics change, and what these return
  bool fits = true;
  any_statement(loop.body, [&](const Stmt& s) {
    if (auto* n = std::get_if<Store>(&s.node)) {
      fits = fits && n->base->kind == Expr::Kind::Var && is_own_element(loop, n->offset);
      if (!fits) return true;
      const auto [at, first] = stored.emplace(n->base->var, n->offset);
      fits = first || same(at->second, n->offset);
    } else if (auto* a = std::get_if<Atomic>(&s.node)) {
      fits = fits && a->base->kind == Expr::Kind::Var && a->op == ir::AtomicOp::Add &&
             is_integer(fn.vars[static_cast<size_t>(a->result)].type);
      if (!fits) return true;
      counted.insert(a->base->var);
      results.insert(a->result);
    } else {
      fits = fits && (std::holds_alternative<SetVar>(s.node) || std::holds_alternative<If>(s.node) ||
                      std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<AliasGroup>(s.node) ||
                      std::holds_alternative<Loop>(s.node) || std::holds_alternative<Break>(s.node) ||
                      std::holds_alternative<Continue>(s.node));
    }
    return !fits;
  });
  for (const auto& [base, at] : stored) fits = fits && !counted.count(base);
  for (VarId v : results) fits = fits && !mentions(loop.body, v);
  if (!fits || has_own<Break>(loop.body)) return false;
  return !any_statement(loop.body, [&](const Stmt& s) {
    bool meets = false;
    each_expr(s, [&](ExprP e) {
      meets = meets || any_node(e, [&](ExprP n) {
                if (n->kind != Expr::Kind::Load) return false;
                if (n->a->kind != Expr::Kind::Var) return !stored.empty() || !counted.empty();
                const auto at = stored.find(n->a->var);
                if (counted.count(n->a->var) != 0) return true;
                return at != stored.end() && !same(at->second, n->b);
              });
    });
    return meets;
  });
}

}  // namespace

bool is_independent(Exprs& x, const Function& fn, const Block& b, size_t at) {
  auto* loop = std::get_if<CountedLoop>(&b[at].node);
  if (!loop || !is_int(loop->lo, 0) || !stores_are_own(fn, *loop)) return false;
  Function scratch = fn;
  Writer out(x, scratch);
  const auto carried = carried_reduction(out, b, at);
  return carried && carried->vars.empty();
}

}  // namespace vr::lower
