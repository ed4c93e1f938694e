#include "loop/analysis/held_at_head.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

/// Intervals that contain all of them. A number that is no constant is assumed to be at least the constants, or 0. If
/// the loop runs until one is greater than another, their ends may cross by one.
Intervals hulls(LaunchIntervals& values, Exprs& x, const Intervals& all, ExprP until) {
  const auto is_number = [](ExprP e) { return e->kind == Expr::Kind::IntConst; };
  ExprP lo = nullptr, hi = nullptr;
  for (const auto& [v, i] : all) {
    if (is_number(i.lo)) lo = lo ? x.min(lo, i.lo) : i.lo;
    hi = !hi || (is_number(hi) && !is_number(i.hi)) ? i.hi : is_number(i.hi) && !is_number(hi) ? hi : x.max(hi, i.hi);
  }
  if (!lo) lo = x.int_const(0);
  const ExprP runs = until && until->kind == Expr::Kind::Unary ? until->a : nullptr;
  const int64_t cross = runs && runs->kind == Expr::Kind::Binary && (runs->op == Op::Le || runs->op == Op::Ge);
  Intervals held;
  ExprP valid = nullptr;
  for (const auto& [v, i] : all) {
    const Interval own{is_number(i.lo) ? lo : x.sub(lo, x.int_const(cross)),
                       is_number(i.hi) && !is_number(hi) ? values.keep(x.add(hi, x.int_const(cross))) : values.keep(hi),
                       i.bits + 1, nullptr, i.of_type};
    valid = values.both_valid(valid, i.valid);
    valid = values.both_valid(valid, x.both(x.ge(i.lo, own.lo), x.le(i.hi, own.hi)));
    held.emplace(v, own);
  }
  int bits = 0;
  for (const auto& entry : held) bits = std::max(bits, entry.second.bits);
  for (auto& entry : held) entry.second.bits = bits, entry.second.valid = valid;
  return held;
}

}  // namespace

ExprP ends_at_head(const Block& body) {
  auto* n = body.empty() ? nullptr : std::get_if<If>(&body[0].node);
  return n && only_breaks(*n) && !has_own<Break>(Block(body.begin() + 1, body.end())) ? n->cond : nullptr;
}

Intervals held_at_head(LaunchIntervals& values, Writer& host, const Block& body,
                       FunctionView<Intervals(const Intervals&)> after) {
  Exprs& x = host.x;
  Intervals before;
  if (has_own<Continue>(body)) return {};
  for (const auto& [v, times] : assignments(body))
    if (const auto it = values.state.find(v); it != values.state.end()) before.insert(*it);
  constexpr int most_trials = 3;
  for (int trial = 0; trial < most_trials && !before.empty(); ++trial) {
    Intervals held = hulls(values, x, before, ends_at_head(body));
    const Intervals stepped = after(held);
    // What an iteration does not know is not held; the others are tried without it.
    if (std::erase_if(before, [&](const auto& entry) { return !stepped.count(entry.first); }) != 0) continue;
    ExprP valid = held.begin()->second.valid;
    for (auto& [v, interval] : held) {
      const Interval& end = stepped.at(v);
      valid = values.both_valid(valid, end.valid);
      valid = values.both_valid(valid, x.both(x.ge(end.lo, interval.lo), x.le(end.hi, interval.hi)));
      interval.of_type = interval.of_type || end.of_type;
    }
    if (valid && is_false(valid)) return {};
    for (auto& entry : held) entry.second.valid = valid && !is_true(valid) ? host.keep(valid, "held") : nullptr;
    return held;
  }
  return {};
}

}  // namespace vr::lower
