#include "loop/analysis/affine.hpp"

#include "loop/analysis/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vr::lower {

namespace {

constexpr size_t most_whole = 4;
constexpr int64_t largest_whole = int64_t{1} << 50;  // the sum of a few of these is exact in float64
constexpr int64_t room = int64_t{1} << 61;
constexpr int64_t most_iterations = int64_t{1} << 40;

}  // namespace

Affine::Affine(Writer& out, const CountedLoop& loop, std::map<VarId, int> changed)
    : out_(out), x_(out.x), var_(loop.var), changed_(std::move(changed)) {
  count_ = x_.sub(loop.hi, loop.lo);
  range_ = {loop.lo, x_.sub(loop.hi, x_.int_const(1))};
}

bool Affine::same_in_all(ExprP e) const { return steady(e, changed_); }

void Affine::define(VarId v, ExprP value) {
  auto times = changed_.find(v);
  if (times == changed_.end() || times->second != 1) return;
  if (auto n = linear(value)) defined_.insert_or_assign(v, *n);
}

std::optional<Linear> Affine::linear(ExprP e) {
  if (e->type == Scalar::Float64) return real(e);
  return is_integer(e->type) ? integer(e) : std::nullopt;
}

std::optional<Linear> Affine::integer(ExprP e) {
  if (e->type == Scalar::UInt64) return {};  // some values of this type do not fit in an Int64
  if (same_in_all(e)) return Linear{x_.convert(e, Scalar::Int64), x_.int_const(0)};
  if (e->type != Scalar::Int64) return {};  // arithmetic in narrower types wraps in between
  switch (e->kind) {
    case Expr::Kind::Var: {
      if (e->var == var_) return Linear{x_.int_const(0), x_.int_const(1)};
      auto it = defined_.find(e->var);
      return it == defined_.end() ? std::nullopt : std::optional(it->second);
    }
    case Expr::Kind::Unary:
      return e->op == Op::Neg ? combine(Op::Sub, Linear{x_.int_const(0), x_.int_const(0)}, integer(e->a)) : std::nullopt;
    case Expr::Kind::Binary:
      return combine(e->op, integer(e->a), integer(e->b));
    case Expr::Kind::Convert:
      return e->a->type == Scalar::Float64 ? real(e->a) : integer(e->a);
    default:
      return {};
  }
}

std::optional<Linear> Affine::real(ExprP e) {
  if (e->type != Scalar::Float64) return {};
  if (e->kind == Expr::Kind::FloatConst) {
    if (e->fval != std::floor(e->fval) || std::fabs(e->fval) > static_cast<double>(largest_whole)) return {};
    return Linear{x_.int_const(static_cast<int64_t>(e->fval)), x_.int_const(0)};
  }
  if (e->kind == Expr::Kind::Convert && is_integer(e->a->type)) {
    auto n = integer(e->a);
    if (!n) return {};
    // Exact only while the numbers are that small. Numbers that were converted from an integral float64 are.
    const bool made_of_float = n->base->kind == Expr::Kind::Convert && n->base->a->type == Scalar::Float64;
    if (n->base->kind != Expr::Kind::IntConst && !made_of_float)
      n->whole.push_back(x_.convert(n->base, Scalar::Float64));
    else if (!made_of_float && (n->base->ival > largest_whole || n->base->ival < -largest_whole))
      return {};
    if (!is_int(n->step, 0)) n->whole.push_back(nullptr);
    return n;
  }
  if (same_in_all(e))
    return Linear{x_.convert(e, Scalar::Int64), x_.int_const(0), {e}};
  switch (e->kind) {
    case Expr::Kind::Var: {
      auto it = defined_.find(e->var);
      return it == defined_.end() ? std::nullopt : std::optional(it->second);
    }
    case Expr::Kind::Unary:
      return e->op == Op::Neg ? combine(Op::Sub, Linear{x_.int_const(0), x_.int_const(0)}, real(e->a)) : std::nullopt;
    case Expr::Kind::Binary: {
      auto n = combine(e->op, real(e->a), real(e->b));
      if (!n || e->op != Op::Mul) return n;
      // The product of two such numbers may be too large.
      for (ExprP factor : {e->a, e->b})
        if (factor->kind == Expr::Kind::FloatConst && std::fabs(factor->fval) <= 1024) return n;
      return {};
    }
    default:
      return {};
  }
}

std::optional<Linear> Affine::combine(Op op, std::optional<Linear> a, std::optional<Linear> b) {
  if (!a || !b) return {};
  Linear n{nullptr, nullptr, a->whole};
  for (ExprP w : b->whole)
    if (std::none_of(n.whole.begin(), n.whole.end(), [&](ExprP k) { return k == w || (k && w && same(k, w)); }))
      n.whole.push_back(w);
  if (n.whole.size() > most_whole) return {};
  switch (op) {
    case Op::Add:
    case Op::Sub:
      n.base = x_.binary(op, a->base, b->base);
      n.step = x_.binary(op, a->step, b->step);
      return n;
    case Op::Mul: {
      const bool left = is_int(a->step, 0);
      if (!left && !is_int(b->step, 0)) return {};
      n.base = x_.mul(a->base, b->base);
      n.step = left ? x_.mul(b->step, a->base) : x_.mul(a->step, b->base);
      return n;
    }
    default:
      return {};
  }
}

ExprP Affine::at(const Linear& n, ExprP k) { return x_.add(n.base, x_.mul(n.step, k)); }

ExprP Affine::in_loop(const Linear& n) {
  return x_.add(x_.mul(x_.var(var_, Scalar::Int64), out_.keep(n.step, "step")), out_.keep(n.base, "base"));
}

ExprP Affine::holds(const Linear& n) {
  ExprP all = x_.bool_const(true);
  int64_t most = room;
  for (ExprP w : n.whole) {
    most = largest_whole;
    if (!w) continue;
    ExprP k = x_.convert(w, Scalar::Int64);
    all = x_.both(all, x_.eq(x_.convert(k, Scalar::Float64), w));
    all = x_.both(all, x_.both(x_.le(k, x_.int_const(largest_whole)), x_.ge(k, x_.int_const(-largest_whole))));
  }
  if (n.step->kind == Expr::Kind::IntConst) {
    const int64_t by = n.step->ival == INT64_MIN ? INT64_MAX : std::llabs(n.step->ival);
    if (by == 0 || (by == 1 && most == room)) return all;  // the number of iterations is below 2^63
    return x_.both(all, x_.le(count_, x_.int_const(most / by)));
  }
  ExprP steepest = x_.int_const(most / most_iterations);
  all = x_.both(all, x_.le(count_, x_.int_const(most_iterations)));
  return x_.both(all, x_.both(x_.le(n.step, steepest), x_.ge(n.step, x_.neg(steepest))));
}

ExprP Affine::all(ExprP c, bool truth) {
  if (c->kind == Expr::Kind::IntConst) return (c->ival != 0) == truth ? x_.bool_const(true) : nullptr;
  if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return all(c->a, !truth);
  const bool steady = same_in_all(c);
  if (c->kind != Expr::Kind::Binary) return !steady ? nullptr : truth ? c : x_.not_(c);
  if (c->type == Scalar::Bool && (c->op == Op::And || c->op == Op::Or) && c->a->type == Scalar::Bool) {
    ExprP a = all(c->a, truth);
    if ((c->op == Op::And) == truth) {
      ExprP b = a ? all(c->b, truth) : nullptr;
      return b ? x_.both(a, b) : nullptr;
    }
    ExprP b = all(c->b, truth);
    return a && b ? x_.either(a, b) : a ? a : b;
  }
  if (steady) {
    if (truth || !is_comparison(c->op) || is_float(c->a->type)) return truth ? c : x_.not_(c);
    return x_.binary(negated(c->op), c->a, c->b);
  }
  if (!is_comparison(c->op)) return nullptr;
  return comparison(truth ? c->op : negated(c->op), c->a, c->b);
}

ExprP Affine::comparison(Op op, ExprP a, ExprP b) {
  auto p = linear(a), q = p ? linear(b) : std::nullopt;
  if (!q) return nullptr;
  const bool floats = is_float(a->type);
  ExprP known = x_.both(holds(*p), holds(*q));
  // The same number on both sides, as float64 and converted back.
  if (same(p->step, q->step) && same(p->base, q->base)) {
    const bool equal = op == Op::Eq || op == Op::Le || op == Op::Ge;
    return equal ? known : nullptr;
  }
  if (floats || (a->type != Scalar::Int64)) return nullptr;
  if (!is_int(q->step, 0)) {
    std::swap(p, q);
    op = mirrored(op);
  }
  if (!is_int(q->step, 0) || (op != Op::Lt && op != Op::Le && op != Op::Gt && op != Op::Ge)) return nullptr;
  auto end = [&](ExprP k) { return x_.binary(op, at(*p, k), q->base); };
  const bool rises = p->step->kind == Expr::Kind::IntConst && p->step->ival >= 0, highest = op == Op::Lt || op == Op::Le;
  ExprP ends = p->step->kind != Expr::Kind::IntConst ? x_.both(end(range_.first), end(range_.last))
                                                      : end(rises == highest ? range_.last : range_.first);
  if (!range_.known) return x_.both(known, ends);
  return x_.both(x_.both(known, range_.known), x_.either(x_.gt(range_.first, range_.last), ends));
}

void Affine::narrow(ExprP c, bool truth) {
  if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return narrow(c->a, !truth);
  if (c->kind != Expr::Kind::Binary) return;
  if (c->type == Scalar::Bool && (c->op == Op::And || c->op == Op::Or) && c->a->type == Scalar::Bool) {
    if ((c->op == Op::And) != truth) return;
    narrow(c->a, truth);
    narrow(c->b, truth);
    return;
  }
  if (!is_comparison(c->op) || c->a->type != Scalar::Int64) return;
  auto a = linear(c->a), b = a ? linear(c->b) : std::nullopt;
  if (!b || !a->whole.empty() || !b->whole.empty()) return;
  const Op op = truth ? c->op : negated(c->op);
  if (is_int(b->step, 0))
    narrow(op, *a, b->base);
  else if (is_int(a->step, 0))
    narrow(mirrored(op), *b, a->base);
}

// Solves base + k op bound, or base - k op bound, for k. Nothing may wrap.
void Affine::narrow(Op op, const Linear& n, ExprP bound) {
  const bool rises = is_int(n.step, 1);
  if (!rises && !is_int(n.step, -1)) return;
  ExprP known = range_.known ? range_.known : x_.bool_const(true);
  for (ExprP e : {n.base, bound}) {
    known = x_.both(known, x_.ge(e, x_.int_const(-room)));
    known = x_.both(known, x_.le(e, x_.int_const(room)));
  }
  if (is_false(known)) return;
  ExprP to = rises ? x_.sub(bound, n.base) : x_.sub(n.base, bound), one = x_.int_const(1);
  if (!rises) op = mirrored(op);
  if (op == Op::Ne) {  // narrows the range only at one of its ends
    if (same(to, range_.first))
      range_.first = out_.keep(x_.add(to, one), "first");
    else if (same(to, range_.last))
      range_.last = out_.keep(x_.sub(to, one), "last");
    else
      return;
  }
  if (op == Op::Lt || op == Op::Le || op == Op::Eq)
    range_.last = out_.keep(x_.min(range_.last, op == Op::Lt ? x_.sub(to, one) : to), "last");
  if (op == Op::Gt || op == Op::Ge || op == Op::Eq)
    range_.first = out_.keep(x_.max(range_.first, op == Op::Gt ? x_.add(to, one) : to), "first");
  range_.known = known;
}

}  // namespace vr::lower
