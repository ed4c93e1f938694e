#include "loop/analysis/bit_loop.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/walk.hpp"

namespace vr::lower {

namespace {

bool is_binary(ExprP e, Op op) { return e->kind == Expr::Kind::Binary && e->op == op && is_integer(e->type); }
bool is_number(ExprP e, VarId v) { return e->kind == Expr::Kind::Var && e->var == v; }
bool is_least(ExprP e, int64_t least) { return e->kind == Expr::Kind::IntConst && e->ival >= least; }

/// Whether it has the number's bits but the lowest 1: v & (v - 1).
bool clears_bit(ExprP e, VarId v) {
  const auto one_less = [&](ExprP part) {
    // -1, or the largest number of an unsigned type
    return is_binary(part, Op::Add) && is_number(part->a, v) && part->b->kind == Expr::Kind::IntConst &&
           (static_cast<uint64_t>(part->b->ival) + 1) << (64 - 8 * scalar_bytes(part->type)) == 0;
  };
  return is_binary(e, Op::And) && ((is_number(e->a, v) && one_less(e->b)) || (one_less(e->a) && is_number(e->b, v)));
}

/// Whether it is half of the number or less, if the number is not negative. Without the sign of a negative number it
/// becomes 0, too, if `exact`: a quotient that is rounded to negative infinity stays at -1.
bool shrinks(ExprP e, VarId v, bool exact) {
  if (is_binary(e, Op::Div) && is_least(e->b, 2)) {
    if (is_number(e->a, v)) return true;
    // What v // 2^k becomes: (v & -2^k) / 2^k.
    return !exact && is_binary(e->a, Op::And) && is_number(e->a->a, v);
  }
  if (is_binary(e, Op::Shr) && is_number(e->a, v) && is_least(e->b, 1) && e->b->ival < 8 * scalar_bytes(e->type))
    return !exact || is_unsigned(e->type);
  return !exact && is_binary(e, Op::Sub) && e->b->kind == Expr::Kind::Convert && e->b->a->type == Scalar::Bool &&
         shrinks(e->a, v, false);
}

/// Whether it is the number, if that is not negative, without its lowest bit.
bool is_half(ExprP e, VarId v) {
  if (is_binary(e, Op::Shr)) return is_number(e->a, v) && is_int(e->b, 1);
  if (!is_binary(e, Op::Div) || !is_int(e->b, 2)) return false;
  return is_number(e->a, v) || (is_binary(e->a, Op::And) && is_number(e->a->a, v) && is_int(e->a->b, -2));
}

/// The number that is not 0, or greater than 0 (`positive`), where the condition holds.
VarId number_left(ExprP c, bool& positive) {
  if (c->kind != Expr::Kind::Binary || (c->op != Op::Ne && c->op != Op::Gt) || c->a->kind != Expr::Kind::Var ||
      !is_integer(c->a->type) || !is_int(c->b, 0))
    return none;
  positive = c->op == Op::Gt;
  return c->a->var;
}

}  // namespace

std::optional<BitLoop> bit_loop(Exprs& x, const Loop& loop) {
  auto* first = loop.body.empty() ? nullptr : std::get_if<If>(&loop.body[0].node);
  if (!first || !only_breaks(*first) || first->cond->kind != Expr::Kind::Unary || first->cond->op != Op::Not ||
      has_own<Continue>(loop.body))
    return {};
  const std::map<VarId, int> times = assignments(loop.body);
  BitLoop found;
  for (const Stmt& s : loop.body) {
    auto* set = std::get_if<SetVar>(&s.node);
    if (!set || times.at(set->var) != 1 || loads(set->value)) continue;
    const ExprP value = substituted(x, set->value, found.values);
    each_conjunct(first->cond->a, [&](ExprP c) {
      bool positive = false;
      if (number_left(c, positive) != set->var) return;
      const bool clears = clears_bit(value, set->var);
      if (!clears && !shrinks(value, set->var, !positive)) return;
      found.number = set->var;
      found.positive = positive;
      found.clears = clears;
      found.halves = is_half(value, set->var);
    });
    record_value(x, found.values, set->var, set->value);
  }
  if (found.number == none) return {};
  return found;
}

}  // namespace vr::lower
