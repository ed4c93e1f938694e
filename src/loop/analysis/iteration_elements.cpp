#include "loop/analysis/iteration_elements.hpp"

#include "loop/walk.hpp"

#include <algorithm>
#include <cstdlib>

namespace vr::lower {

namespace {

// Factors and constants are small, and so are the numbers of iterations: products of them do not wrap.
constexpr int64_t most_subscript_factor = int64_t{1} << 20, most_subscript_constant = int64_t{1} << 50;

bool is_small(int64_t v, int64_t most) { return v > -most && v < most; }
std::optional<int64_t> constant_of(const Polynomial& p) {
  if (!p.rest().terms.empty() || !is_small(p.constant(), most_subscript_constant)) return {};
  return p.constant();
}
bool same_number(const IterationElements::Subscript& a, const IterationElements::Subscript& b) {
  return a.factor == b.factor && a.rest == b.rest;
}

}  // namespace

IterationElements::IterationElements(const Function& fn, const Stmt& s, const Polynomials& before) : fn_(fn) {
  const auto& loop = std::get<CountedLoop>(s.node);
  Polynomials values = before;
  // What the loop does not change has the values that it has in front of the loop.
  const auto changed = assignments(Block{s});
  any_statement(loop.body, [&](const Stmt& inner) {
    each_expr(inner, [&](ExprP e) {
      any_node(e, [&](ExprP n) {
        const auto used = n->type == Scalar::Int64 && !lower::loads(n) ? variables(n) : std::set<VarId>{};
        const bool fixed = n->type == Scalar::Int64 && n->kind != Expr::Kind::At && !lower::loads(n) &&
                           std::none_of(used.begin(), used.end(), [&](VarId v) { return changed.count(v) != 0; });
        if (fixed) values.of(n);
        return false;
      });
    });
    return false;
  });
  trips_ = values.of(loop.hi);
  Polynomials inside = values.inside(s);
  variable_ = inside.next_value();
  Expr number{};
  number.kind = Expr::Kind::Var;
  number.type = Scalar::Int64;
  number.var = loop.var;
  inside.of(&number);
  block(loop.body, std::move(inside), {});
}

void IterationElements::block(const Block& b, Polynomials values, const Conditions& around) {
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) { loads(e, values, around); });
    if (auto* n = std::get_if<Store>(&s.node)) note(n->base, n->offset, true, values, around);
    auto* condition = std::get_if<If>(&s.node);
    for (const Block* p : parts(s)) {
      Conditions inner = around;
      if (condition) add_condition(inner, condition->cond, p == &condition->then_body, values);
      block(*p, values.inside(s), inner);
    }
    values.execute(s);
  }
}

void IterationElements::loads(ExprP e, Polynomials& values, const Conditions& around) {
  any_node(e, [&](ExprP n) {
    if (n->kind == Expr::Kind::Load) note(n->a, n->b, false, values, around);
    return false;
  });
}

void IterationElements::note(ExprP base, ExprP offset, bool store, Polynomials& values, const Conditions& around) {
  Access a{base->kind == Expr::Kind::Var ? base->var : none, store, {}, around};
  if (offset->kind == Expr::Kind::At)
    for (ExprP axis = offset; axis; axis = axis->c) a.axes.push_back(subscript(axis->a, values));
  all_.push_back(std::move(a));
}

std::optional<IterationElements::Subscript> IterationElements::subscript(ExprP e, Polynomials& values) const {
  if (e->type != Scalar::Int64) return {};
  const Polynomial p = values.of(e), factor = coefficient(p, variable_);
  const auto number = constant_of(factor);
  if (!number || !is_small(*number, most_subscript_factor)) return {};
  Polynomial variable;
  variable.terms[{variable_}] = 1;
  Subscript r{*number, sum(p, variable, -*number)};
  for (const auto& [product, n] : r.rest.terms)
    if (std::any_of(product.begin(), product.end(), [&](int32_t v) { return v >= variable_; })) return {};
  return r;
}

void IterationElements::add_condition(Conditions& all, ExprP cond, bool truth, Polynomials& values) const {
  if (cond->kind == Expr::Kind::Unary && cond->op == Op::Not) return add_condition(all, cond->a, !truth, values);
  if (cond->kind != Expr::Kind::Binary) return;
  if (cond->op == (truth ? Op::And : Op::Or) && cond->type == Scalar::Bool) {
    add_condition(all, cond->a, truth, values);
    add_condition(all, cond->b, truth, values);
    return;
  }
  const bool differ = cond->op == (truth ? Op::Ne : Op::Eq) || cond->op == Op::Lt || cond->op == Op::Gt ||
                      cond->op == Op::Le || cond->op == Op::Ge;
  const bool or_equal = cond->op == (truth ? Op::Le : Op::Lt) || cond->op == (truth ? Op::Ge : Op::Gt);
  if (!differ || or_equal || cond->a->type != Scalar::Int64) return;
  const auto a = subscript(cond->a, values), b = subscript(cond->b, values);
  if (a && b) all.push_back({a->factor - b->factor, sum(a->rest, b->rest, -1)});
}

bool IterationElements::are_apart(const Access& a, const Access& b) const {
  if (a.axes.empty() || a.axes.size() != b.axes.size()) return false;
  // Both are the same element, in iterations i of `a` and j of `b`, only if j - i has this value.
  std::optional<int64_t> distance;
  for (size_t k = 0; k < a.axes.size(); ++k) {
    if (!a.axes[k] || !b.axes[k]) continue;
    const Subscript &p = *a.axes[k], &q = *b.axes[k];
    const Polynomial difference = sum(p.rest, q.rest, -1);
    // A subscript that all iterations have in common, and a condition under which the other one is different.
    const Access& moving = p.factor != 0 ? a : b;
    if ((p.factor == 0) != (q.factor == 0)) {
      const Subscript apart =
          p.factor != 0 ? Subscript{p.factor, difference} : Subscript{q.factor, sum(q.rest, p.rest, -1)};
      const Subscript negative{-apart.factor, sum({}, apart.rest, -1)};
      if (std::any_of(moving.not_zero.begin(), moving.not_zero.end(),
                      [&](const Subscript& n) { return same_number(n, apart) || same_number(n, negative); }))
        return true;
    }
    // Iterations are less than their number apart.
    if (p.factor == q.factor && (p.factor == 1 || p.factor == -1) &&
        (difference == trips_ || sum({}, difference, -1) == trips_))
      return true;
    const auto apart = constant_of(difference);
    if (!apart) continue;
    if (p.factor == 0 && q.factor == 0) {
      if (*apart != 0) return true;
    } else if (p.factor == q.factor) {
      // p.factor * (j - i) = apart
      if (*apart % p.factor != 0) return true;
      const int64_t here = *apart / p.factor;
      if (distance && *distance != here) return true;
      distance = here;
    } else if (p.factor == 0 || q.factor == 0) {
      // factor * (the number of an iteration) = other
      const int64_t factor = p.factor == 0 ? q.factor : p.factor, other = p.factor == 0 ? *apart : -*apart;
      if (other % factor != 0 || other / factor < 0) return true;
    }
  }
  return distance && *distance == 0;
}

}  // namespace vr::lower
