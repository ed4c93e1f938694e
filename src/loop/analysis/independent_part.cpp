#include "loop/analysis/independent_part.hpp"

#include "loop/analysis/used_outside.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

// operations of an operand from which on it is stored in memory rather than computed again
constexpr int64_t least_cost = 4;
constexpr int64_t most_cost_not_needed = 5;  // operations of an operand that the iteration may not need

bool can_be_element(Scalar type) { return type != Scalar::Bool && type != Scalar::Ptr && scalar_bytes(type) >= 4; }

}  // namespace

IndependentPart::IndependentPart(const Function& fn, const Block& whole, const CountedLoop& loop, const Runs& runs, const DimDependence& dims)
    : loop_(loop), runs_(runs), dims_(dims), changed_(assignments(loop.body)) {
  // Variables with one value in an iteration, which it assigns before it uses them.
  const UsedOutside outside(fn, whole, loop);
  std::set<VarId> single, used;
  for (const Stmt& s : loop.body) {
    auto* n = std::get_if<SetVar>(&s.node);
    each_expr(s, [&](ExprP e) { used.merge(variables(e)); });
    if (n && changed_.at(n->var) == 1 && !used.count(n->var) && !outside(n->var)) single.insert(n->var);
    for (const Block* p : parts(s))
      any_statement(*p, [&](const Stmt& inner) {
        each_expr(inner, [&](ExprP e) { used.merge(variables(e)); });
        return false;
      });
  }
  for (const Stmt& s : loop.body) {
    if (auto* n = std::get_if<SetVar>(&s.node); n && single.count(n->var) && independent(n->value)) {
      own_.insert(n->var);
      take(s, n->value);
      continue;
    }
    auto* n = std::get_if<Store>(&s.node);
    const bool row = n && std::any_of(runs.runs.begin(), runs.runs.end(), [&](const Run& r) { return r.store == &s; });
    if (row && independent(n->value))
      take(s, n->value);
    else
      rest(s, true);
  }
}

/// The first part contains the statement, which computes e.
void IndependentPart::take(const Stmt& s, ExprP e) {
  statements_.insert(&s);
  work_ += cost(s, e);
  needs(s, e);
}

void IndependentPart::needs(const Stmt& s, ExprP e) {
  if (!e || runs_.of.count({&s, e})) return;
  if (e->kind == Expr::Kind::Var && e->var != loop_.var && !changed_.count(e->var)) inputs_.insert(e->var);
  loads_ = loads_ || (e->kind == Expr::Kind::Load && !runs_.is_uniform(e));
  for (ExprP part : {e->a, e->b, e->c}) needs(s, part);
}

bool IndependentPart::independent(ExprP e) const {
  if (!e) return true;
  if (e->kind == Expr::Kind::Var) return e->var == loop_.var || !changed_.count(e->var) || own_.count(e->var) != 0;
  if (e->kind == Expr::Kind::Load && !dims_.is_constant_load(e)) return false;
  return independent(e->a) && independent(e->b) && independent(e->c);
}

bool IndependentPart::uses_own(ExprP e) const {
  const auto all = variables(e);
  return std::any_of(all.begin(), all.end(), [&](VarId v) { return own_.count(v) != 0; });
}

/// Whether all loads are loads of rows.
bool IndependentPart::known_loads_alone(const Stmt& s, ExprP e) const {
  if (!e || runs_.of.count({&s, e})) return true;
  return e->kind != Expr::Kind::Load && known_loads_alone(s, e->a) && known_loads_alone(s, e->b) && known_loads_alone(s, e->c);
}

int64_t IndependentPart::cost(const Stmt& s, ExprP e) const {
  if (!e || is_simple(e) || runs_.of.count({&s, e}) || (e->kind == Expr::Kind::Load && runs_.is_uniform(e))) return 0;
  int64_t here = 1;
  if (e->kind == Expr::Kind::Math) here = 10;
  if (e->kind == Expr::Kind::Load || (e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem))) here = 6;
  return here + cost(s, e->a) + cost(s, e->b) + cost(s, e->c);
}

/// A statement of the rest. certain: each iteration executes it.
void IndependentPart::rest(const Stmt& s, bool certain) {
  each_expr(s, [&](ExprP e) { operands(s, e, certain); });
  for (const Block* p : parts(s))
    for (const Stmt& inner : *p) rest(inner, false);
}

void IndependentPart::operands(const Stmt& s, ExprP e, bool certain) {
  if (!e || is_const(e)) return;
  if (e->kind == Expr::Kind::Var && own_.count(e->var) && !can_be_element(e->type)) fits_ = false;
  const int64_t saved = cost(s, e);
  if (independent(e) && can_be_element(e->type) &&
      (certain || (saved <= most_cost_not_needed && known_loads_alone(s, e)))) {
    if (saved < least_cost && !uses_own(e)) return;
    work_ += saved;
    needs(s, e);
    if (std::none_of(values_.begin(), values_.end(), [&](const Value& v) { return same(v.value, e); })) values_.push_back({&s, e});
    return;
  }
  if (e->kind == Expr::Kind::At) {
    // The rest of a list of subscripts is no value.
    for (ExprP axis = e; axis; axis = axis->c) operands(s, axis->a, certain), operands(s, axis->b, certain);
    return;
  }
  const bool chooses = skips_operands(e);
  operands(s, e->a, certain);
  operands(s, e->b, certain && !chooses);
  operands(s, e->c, certain && !chooses);
}

}  // namespace vr::lower
