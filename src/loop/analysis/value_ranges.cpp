#include "loop/analysis/value_ranges.hpp"

#include "loop/walk.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace vr::lower {

namespace {

using Wide = ValueRange::Wide;

/// Rounds of a loop after which a variable that still changes may have all values of its type.
constexpr int widen_after = 3;
/// Loops of at most so many iterations are followed one by one, while the function's budget lasts.
constexpr int64_t most_followed = 64;

bool is_whole(Scalar s) { return s == Scalar::Bool || is_integer(s); }

ValueRange join(ValueRange a, ValueRange b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

ValueRange hull(std::initializer_list<Wide> values) { return {std::min(values), std::max(values)}; }

/// The smallest [-2^n, 2^n - 1] with both, or [0, 2^n - 1] if neither has negative numbers: closed under and, or,
/// exclusive or.
ValueRange bits_of(ValueRange a, ValueRange b) {
  const ValueRange both = join(a, b);
  Wide power = 1;
  while (power <= both.hi || -power > both.lo) power *= 2;
  return {both.lo < 0 ? -power : 0, power - 1};
}

ValueRange binary(Op op, Scalar type, ValueRange a, ValueRange b) {
  switch (op) {
    case Op::Add:
      return {a.lo + b.lo, a.hi + b.hi};
    case Op::Sub:
      return {a.lo - b.hi, a.hi - b.lo};
    case Op::Mul: {
      // 127 bits hold the product of two numbers of 63, but not of all unsigned numbers.
      constexpr Wide most = std::numeric_limits<int64_t>::max();
      if (a.hi > most || b.hi > most) return range_of(type);
      return hull({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
    }
    case Op::Div: {
      // Rounded toward zero; the divisor is not 0, and the largest quotients are those by 1 and -1.
      const Wide most = std::max(a.hi, -a.lo);
      if (b.lo > 0) return {a.lo < 0 ? a.lo / b.lo : a.lo / b.hi, a.hi > 0 ? a.hi / b.lo : a.hi / b.hi};
      return {-most, most};
    }
    case Op::Rem: {
      const Wide most = std::max<Wide>(std::max(b.hi, -b.lo) - 1, 0);
      return {a.lo < 0 ? std::max(a.lo, -most) : 0, a.hi > 0 ? std::min(a.hi, most) : 0};
    }
    case Op::And:
      if (a.lo >= 0 || b.lo >= 0) return {0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
      return bits_of(a, b);
    case Op::Or:
    case Op::Xor:
      return bits_of(a, b);
    default:
      return range_of(type);
  }
}

ValueRange select(const Expr& e, ValueRange b, ValueRange c) {
  if (const Expr& test = *e.a; test.kind == Expr::Kind::Binary && is_whole(test.a->type)) {
    const bool less = test.op == Op::Lt || test.op == Op::Le, greater = test.op == Op::Gt || test.op == Op::Ge;
    const bool straight = same(test.a, e.b) && same(test.b, e.c), crossed = same(test.a, e.c) && same(test.b, e.b);
    if ((straight && less) || (crossed && greater)) return {std::min(b.lo, c.lo), std::min(b.hi, c.hi)};
    if ((straight && greater) || (crossed && less)) return {std::max(b.lo, c.lo), std::max(b.hi, c.hi)};
    const bool negated = e.b->kind == Expr::Kind::Unary && e.b->op == Op::Neg && same(e.b->a, e.c);
    // x < 0 ? -x : x
    if (less && negated && is_int(test.b, 0) && same(test.a, e.c)) return {0, std::max(c.hi, -c.lo)};
  }
  return join(b, c);
}

}  // namespace

ValueRange range_of(Scalar s) {
  if (s == Scalar::Bool) return {0, 1};
  const int bits = 8 * scalar_bytes(s);
  const Wide half = Wide{1} << (bits - 1);
  return is_unsigned(s) ? ValueRange{0, 2 * half - 1} : ValueRange{-half, half - 1};
}

bool ValueRanges::Known::add(ValueRange r) {
  if (any && r.in(range)) return false;
  range = any ? join(range, r) : r;
  return any = true;
}

ValueRanges::ValueRanges(const Function& f)
    : fn_(f), now_(f.vars.size()), all_(f.vars.size()), budget_(16 * nodes(f.body)) {
  inputs();
  visit(f.body);
}

void ValueRanges::inputs() {
  const auto full = [&](VarId v) {
    if (v != none && is_whole(fn_.vars[static_cast<size_t>(v)].type))
      set(v, range_of(fn_.vars[static_cast<size_t>(v)].type));
  };
  const auto not_negative = [&](VarId v) {
    if (v != none) set(v, {0, std::numeric_limits<int64_t>::max()});
  };
  for (const ArrayVars& a : fn_.arrays) {
    full(a.flags);
    for (const VarId v : a.extent) not_negative(v);
    for (const VarId v : a.stride) full(v);
  }
  for (const Param& p : fn_.params) full(p.var), full(p.im);
  for (const Fold& fold : fn_.folds) full(fold.var), full(fold.other);
  for (const VarId v : fn_.dims) not_negative(v);
  full(fn_.lo_var), full(fn_.hi_var);
}

ValueRange ValueRanges::of(ExprP e) const {
  const auto it = exprs_.find(e);
  return it == exprs_.end() ? range_of(e->type) : it->second.range;
}

ValueRange ValueRanges::of(VarId v) const {
  const Known& known = all_[static_cast<size_t>(v)];
  return known.any ? known.range : range_of(fn_.vars[static_cast<size_t>(v)].type);
}

void ValueRanges::set(VarId v, ValueRange r) {
  now_[static_cast<size_t>(v)] = {r, true};
  all_[static_cast<size_t>(v)].add(r);
}

ValueRanges::Values ValueRanges::values(const std::vector<VarId>& list) const {
  Values v;
  v.reserve(list.size());
  for (const VarId id : list) v.push_back(now_[static_cast<size_t>(id)]);
  return v;
}

void ValueRanges::restore(const std::vector<VarId>& list, const Values& values) {
  for (size_t k = 0; k < list.size(); ++k) now_[static_cast<size_t>(list[k])] = values[k];
}

bool ValueRanges::merge(const std::vector<VarId>& list, const Values& more) {
  bool changed = false;
  for (size_t k = 0; k < list.size(); ++k) changed = now_[static_cast<size_t>(list[k])].add(more[k]) || changed;
  return changed;
}

/// The variables may have all values of their types.
void ValueRanges::forget(const std::vector<VarId>& list) {
  for (const VarId v : list)
    if (const Scalar t = fn_.vars[static_cast<size_t>(v)].type; is_whole(t)) set(v, range_of(t));
}

const std::vector<VarId>& ValueRanges::assigned_by(const Stmt& s) {
  const auto [it, is_new] = assigned_.try_emplace(&s);
  if (is_new) {
    std::set<VarId> found;
    const auto add = [&](const Stmt& part) {
      each_assigned(fn_, part, [&](VarId v) {
        if (is_whole(fn_.vars[static_cast<size_t>(v)].type)) found.insert(v);
      });
      return false;
    };
    any_statement(s, add);
    it->second.assign(found.begin(), found.end());
  }
  return it->second;
}

void ValueRanges::visit(const Block& b) {
  for (const Stmt& s : b) {
    if (!reached_) return;
    visit(s);
  }
}

void ValueRanges::visit(const Stmt& s) {
  --budget_;
  if (auto* assignment = std::get_if<SetVar>(&s.node)) {
    const ValueRange r = value(assignment->value);
    if (is_whole(assignment->value->type)) set(assignment->var, r);
    return;
  }
  if (auto* n = std::get_if<CountedLoop>(&s.node)) return loop(s, n);
  each_expr(s, [&](ExprP e) { value(e); });
  if (auto* n = std::get_if<If>(&s.node)) {
    branch(*n, s);
  } else if (std::holds_alternative<Loop>(s.node)) {
    loop(s, nullptr);
  } else if (std::holds_alternative<Break>(s.node)) {
    jump(frames_.back()->breaks, frames_.back()->assigned);
  } else if (std::holds_alternative<Continue>(s.node)) {
    jump(frames_.back()->continues, frames_.back()->assigned);
  } else if (std::holds_alternative<Fail>(s.node) || std::holds_alternative<Exit>(s.node)) {
    reached_ = false;
  } else {
    forget(assigned_by(s));
    for (const Block* p : parts(s)) visit(*p);
  }
}

/// Control goes from here to the end or the next iteration of the loop that assigns these variables.
void ValueRanges::jump(Values& to, const std::vector<VarId>& assigned) {
  const Values here = values(assigned);
  to.resize(assigned.size());
  for (size_t k = 0; k < here.size(); ++k) to[k].add(here[k]);
  (&to == &frames_.back()->breaks ? frames_.back()->breaks_out : frames_.back()->continues_on) = true;
  reached_ = false;
}

void ValueRanges::branch(const If& n, const Stmt& s) {
  const std::vector<VarId>& assigned = assigned_by(s);
  const Values before = values(assigned);
  visit(n.then_body);
  const bool then_reached = std::exchange(reached_, true);
  const Values after_then = values(assigned);
  restore(assigned, before);
  visit(n.else_body);
  if (!reached_) restore(assigned, Values(assigned.size()));
  if (then_reached) merge(assigned, after_then);
  reached_ = reached_ || then_reached;
}

void ValueRanges::loop(const Stmt& s, const CountedLoop* counted) {
  ValueRange first{}, end{};
  if (counted) first = value(counted->lo), end = value(counted->hi);
  const Reduction* reduction = counted ? counted->reduction.get() : nullptr;
  if (reduction) forget(reduction->vars), forget(reduction->others);
  Frame frame{assigned_by(s)};
  frames_.push_back(&frame);
  const Wide trips = counted && first.lo == first.hi && end.lo == end.hi ? end.lo - first.lo : most_followed + 1;
  if (trips <= most_followed && trips * nodes(counted->body) <= budget_)
    follow(*counted, frame, first.lo, end.lo);
  else
    until_stable(s, counted, frame, first, end);
  frames_.pop_back();
  if (!reached_) restore(frame.assigned, Values(frame.assigned.size()));
  if (frame.breaks_out) merge(frame.assigned, frame.breaks);
  reached_ = reached_ || frame.breaks_out;
  if (reduction) forget(reduction->vars);
}

void ValueRanges::follow(const CountedLoop& n, Frame& frame, Wide from, Wide to) {
  for (Wide k = from; k < to && reached_; ++k) {
    set(n.var, {k, k});
    frame.continues.clear();
    frame.continues_on = false;
    visit(n.body);
    if (!reached_) restore(frame.assigned, Values(frame.assigned.size()));
    if (frame.continues_on) merge(frame.assigned, frame.continues);
    reached_ = reached_ || frame.continues_on;
  }
}

void ValueRanges::until_stable(const Stmt& s, const CountedLoop* counted, Frame& frame, ValueRange first,
                               ValueRange end) {
  const std::vector<VarId>& assigned = frame.assigned;
  if (budget_ < 0) forget(assigned);
  for (int round = 0;; ++round) {
    if (counted) set(counted->var, {first.lo, std::max(first.lo, end.hi - 1)});
    const Values head = values(assigned);
    for (const Block* p : parts(s)) visit(*p);
    const Values after = reached_ ? values(assigned) : Values(assigned.size());
    reached_ = true;
    restore(assigned, head);
    bool changed = merge(assigned, after);
    if (frame.continues_on) changed = merge(assigned, frame.continues) || changed;
    if (!changed) break;
    if (round >= widen_after || budget_ < 0)
      for (size_t k = 0; k < assigned.size(); ++k)
        if (const Known& before = head[k];
            !before.any || !now_[static_cast<size_t>(assigned[k])].range.in(before.range))
          forget({assigned[k]});
  }
  reached_ = counted != nullptr;
}

/// The expression's value here; 0 or more of floats and addresses, whose parts are visited only.
ValueRange ValueRanges::value(ExprP e) {
  if (!is_whole(e->type)) {
    for (ExprP part : {e->a, e->b, e->c})
      if (part) value(part);
    return {};
  }
  const ValueRange all = range_of(e->type), r = computed(*e), here = r.in(all) ? r : all;
  exprs_[e].add(here);
  return here;
}

/// Without regard to the type's limits.
ValueRange ValueRanges::computed(const Expr& e) {
  ValueRange part[3]{};
  for (size_t k = 0; ExprP operand : {e.a, e.b, e.c}) {
    if (operand) part[k] = value(operand);
    ++k;
  }
  switch (e.kind) {
    case Expr::Kind::IntConst: {
      const Wide v = is_unsigned(e.type) ? Wide{static_cast<uint64_t>(e.ival)} : Wide{e.ival};
      return {v, v};
    }
    case Expr::Kind::Var: {
      const auto constant = fn_.constants.find(e.var);
      if (constant != fn_.constants.end()) return {constant->second, constant->second};
      const Known& known = now_[static_cast<size_t>(e.var)];
      return known.any ? known.range : range_of(e.type);
    }
    case Expr::Kind::Convert:
      return is_whole(e.a->type) && e.type != Scalar::Bool ? part[0] : range_of(e.type);
    case Expr::Kind::Unary:
      if (e.op == Op::Popcount) return {0, 8 * scalar_bytes(e.type)};
      return e.op == Op::Neg ? ValueRange{-part[0].hi, -part[0].lo} : range_of(e.type);
    case Expr::Kind::Binary:
      return e.type == Scalar::Bool ? range_of(e.type) : binary(e.op, e.type, part[0], part[1]);
    case Expr::Kind::Select:
      return select(e, part[1], part[2]);
    default:
      return range_of(e.type);
  }
}

}  // namespace vr::lower
