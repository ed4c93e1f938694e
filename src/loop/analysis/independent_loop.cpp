#include "loop/analysis/independent_loop.hpp"

#include "loop/analysis/carried_reduction.hpp"
#include "loop/analysis/loop_range.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

namespace vr::lower {

/// What is added to the number of the loop's iteration, if the expression is such a sum; empty: it is not.
static std::optional<std::vector<ExprP>> added_to_number(const CountedLoop& loop, ExprP e) {
  constexpr int most_names = 8;
  const auto times = assignments(loop.body);
  const auto definitions = single_definitions(loop.body);
  const auto outside = [&](ExprP o) {
    const auto used = variables(o);
    return !loads(o) &&
           std::none_of(used.begin(), used.end(), [&](VarId v) { return v == loop.var || times.count(v) != 0; });
  };
  std::vector<ExprP> added;
  for (int k = 0; k < most_names && e; ++k) {
    if (e->kind == Expr::Kind::Binary && e->op == Op::Add) {
      if (!outside(e->a) && !outside(e->b)) return {};
      added.push_back(outside(e->a) ? e->a : e->b);
      e = outside(e->a) ? e->b : e->a;
    } else if (e->kind != Expr::Kind::Var) {
      return {};
    } else if (e->var == loop.var) {
      return added;
    } else {
      const auto value = definitions.find(e->var);
      e = value == definitions.end() ? nullptr : value->second;
    }
  }
  return {};
}

bool is_iteration_number(const CountedLoop& loop, ExprP e) { return added_to_number(loop, e).has_value(); }

namespace {

/// The axes (0: the first) of the offset (At) whose subscript is the iteration's number and something that is the same
/// in all iterations: different iterations access different elements, whatever the other subscripts are.
using OwnAxes = std::map<int, std::vector<ExprP>>;

OwnAxes own_axes(const CountedLoop& loop, ExprP offset) {
  OwnAxes axes;
  if (offset->kind != Expr::Kind::At) return axes;
  int number = 0;
  for (ExprP axis = offset; axis; axis = axis->c, ++number)
    if (auto added = added_to_number(loop, axis->a)) axes.emplace(number, std::move(*added));
  return axes;
}

bool same_terms(const std::vector<ExprP>& a, const std::vector<ExprP>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](ExprP p, ExprP q) { return same(p, q); });
}

}  // namespace

bool stores_are_own(const Function& fn, const CountedLoop& loop) {
  std::map<VarId, OwnAxes> stored;   // the axes along which iterations have elements of their own
  std::set<VarId> counted, results;  // arrays that atomics change, and what these return
  bool fits = true;
  const auto note = [&](OwnAxes& axes, ExprP offset) {
    const OwnAxes here = own_axes(loop, offset);
    for (auto it = axes.begin(); it != axes.end();) {
      const auto other = here.find(it->first);
      it = other != here.end() && same_terms(it->second, other->second) ? std::next(it) : axes.erase(it);
    }
    return !axes.empty();
  };
  any_statement(loop.body, [&](const Stmt& s) {
    if (auto* n = std::get_if<Store>(&s.node)) {
      fits = fits && n->base->kind == Expr::Kind::Var;
      if (!fits) return true;
      const auto at = stored.emplace(n->base->var, own_axes(loop, n->offset)).first;
      fits = note(at->second, n->offset);
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
  for (const auto& [base, axes] : stored) fits = fits && !counted.count(base);
  for (VarId v : results) fits = fits && !mentions(loop.body, v);
  if (!fits || has_own<Break>(loop.body)) return false;
  return !any_statement(loop.body, [&](const Stmt& s) {
    bool meets = false;
    each_expr(s, [&](ExprP e) {
      meets = meets || any_node(e, [&](ExprP n) {
                if (n->kind != Expr::Kind::Load) return false;
                if (n->a->kind != Expr::Kind::Var) return !stored.empty() || !counted.empty();
                if (counted.count(n->a->var) != 0) return true;
                const auto at = stored.find(n->a->var);
                return at != stored.end() && !note(at->second, n->b);
              });
    });
    return meets;
  });
}

bool is_own_element(const CountedLoop& loop, ExprP offset) { return !own_axes(loop, offset).empty(); }

bool is_independent(Exprs& x, const Function& fn, const Block& b, size_t at) {
  auto* loop = std::get_if<CountedLoop>(&b[at].node);
  if (!loop || !is_int(loop->lo, 0) || !stores_are_own(fn, *loop)) return false;
  Function scratch = fn;
  Writer out(x, scratch);
  const auto carried = carried_reduction(out, b, at);
  return carried && carried->vars.empty();
}

}  // namespace vr::lower
