#include "loop/analysis/independent_loop.hpp"

#include "loop/analysis/carried_reduction.hpp"
#include "loop/analysis/iteration_elements.hpp"
#include "loop/analysis/loop_range.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <set>

namespace vr::lower {

bool is_iteration_number(const CountedLoop& loop, ExprP e) {
  constexpr int most_names = 8;
  const auto times = assignments(loop.body);
  const auto definitions = single_definitions(loop.body);
  const auto outside = [&](ExprP o) {
    const auto used = variables(o);
    return !loads(o) &&
           std::none_of(used.begin(), used.end(), [&](VarId v) { return v == loop.var || times.count(v) != 0; });
  };
  for (int k = 0; k < most_names && e; ++k) {
    if (e->kind == Expr::Kind::Binary && e->op == Op::Add) {
      if (!outside(e->a) && !outside(e->b)) return false;
      e = outside(e->a) ? e->b : e->a;
    } else if (e->kind != Expr::Kind::Var) {
      return false;
    } else if (e->var == loop.var) {
      return true;
    } else {
      const auto value = definitions.find(e->var);
      e = value == definitions.end() ? nullptr : value->second;
    }
  }
  return false;
}

bool stores_are_own(const Function& fn, const Stmt& s, const Polynomials& before) {
  const auto& loop = std::get<CountedLoop>(s.node);
  std::set<VarId> counted, results;  // arrays that atomics change, and what these return
  bool fits = !has_own<Break>(loop.body);
  any_statement(loop.body, [&](const Stmt& inner) {
    if (auto* a = std::get_if<Atomic>(&inner.node)) {
      fits = fits && a->base->kind == Expr::Kind::Var && a->op == ir::AtomicOp::Add &&
             is_integer(fn.vars[static_cast<size_t>(a->result)].type);
      if (!fits) return true;
      counted.insert(a->base->var);
      results.insert(a->result);
    } else {
      fits = fits && (std::holds_alternative<SetVar>(inner.node) || std::holds_alternative<Store>(inner.node) ||
                      std::holds_alternative<If>(inner.node) || std::holds_alternative<CountedLoop>(inner.node) ||
                      std::holds_alternative<AliasGroup>(inner.node) || std::holds_alternative<Fail>(inner.node) ||
                      std::holds_alternative<Loop>(inner.node) || std::holds_alternative<Break>(inner.node) ||
                      std::holds_alternative<Continue>(inner.node));
    }
    return !fits;
  });
  for (VarId v : results) fits = fits && !mentions(loop.body, v);
  if (!fits) return false;
  const IterationElements elements(fn, s, before);
  const auto& all = elements.all();
  const bool changes = !counted.empty() || std::any_of(all.begin(), all.end(), [](const auto& a) { return a.store; });
  return !changes || std::all_of(all.begin(), all.end(), [&](const auto& a) {
    if (a.base == none || counted.count(a.base) != 0) return false;
    return !a.store || std::all_of(all.begin(), all.end(), [&](const auto& other) {
      return other.base != a.base || elements.are_apart(a, other);
    });
  });
}

bool is_own_element(const CountedLoop& loop, ExprP offset) {
  if (offset->kind != Expr::Kind::At) return false;
  for (ExprP axis = offset; axis; axis = axis->c)
    if (is_iteration_number(loop, axis->a)) return true;
  return false;
}

bool is_independent(Exprs& x, const Function& fn, const Block& b, size_t at, const Polynomials& before) {
  auto* loop = std::get_if<CountedLoop>(&b[at].node);
  if (!loop || !is_int(loop->lo, 0) || !stores_are_own(fn, b[at], before)) return false;
  Function scratch = fn;
  Writer out(x, scratch);
  const auto carried = carried_reduction(out, b, at);
  return carried && carried->vars.empty();
}

}  // namespace vr::lower
