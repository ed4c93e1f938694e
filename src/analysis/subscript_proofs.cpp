#include "analysis/subscript_proofs.hpp"

#include "analysis/integer_programs.hpp"

namespace vr::analysis {

namespace {

/// A linear combination of the system's variables plus a constant.
struct Linear {
  std::map<int, int64_t> factors;
  int64_t constant = 0;
};

class Builder {
 public:
  explicit Builder(const LoopTable& loops) : loops_(loops) {}

  /// Writes the sum of the terms in the system's variables, adding the bounds of their loops to the system. False: a
  /// number is too large.
  bool sum(const std::vector<Term>& terms, int64_t sign, Linear& to) {
    for (const Term& t : terms)
      if (!add(variable(t.variable), sign * t.factor, to)) return false;
    return !failed_;
  }
  /// lo <= l <= hi
  void row(const Linear& l, const Interval& bounds) {
    AffineRow r;
    for (const auto& [v, f] : l.factors)
      if (f != 0) r.factors.emplace_back(v, f);
    r.bounds = bounds - Interval::of(l.constant);
    if (!(r.bounds == Interval{})) system.rows.push_back(std::move(r));
  }
  AffineSystem system;

 private:
  static bool add(const Linear& l, int64_t factor, Linear& to) {
    auto sum = [&](int64_t& into, int64_t f) {
      int64_t p = 0;
      return !__builtin_mul_overflow(f, factor, &p) && !__builtin_add_overflow(into, p, &into);
    };
    if (!sum(to.constant, l.constant)) return false;
    for (const auto& [v, f] : l.factors)
      if (!sum(to.factors[v], f)) return false;
    return true;
  }

  const Linear& variable(const LoopVariable& v) {
    if (auto it = known_.find(v); it != known_.end()) return it->second;
    const auto found = loops_.find(v);
    if (found == loops_.end()) return known_[v] = fresh({});
    const IterationBounds& b = found->second;
    const bool up = b.step.lo > 0, exact = b.first.sum_rest().single();
    Linear x;
    if (b.known && b.step.single() && b.step.lo != 1 && b.step.lo != -1 && exact && sum(b.first.terms, 1, x)) {
      // A step other than 1: first + step * t.
      if (__builtin_add_overflow(x.constant, b.first.sum_rest().lo, &x.constant)) failed_ = true;
      const Interval far = quotient(Interval{0, (b.range - Interval::of(b.range.lo)).hi}, up ? b.step : -b.step)
                               .value_or(Interval{0, Interval::most});
      if (!add(fresh({0, far.hi}), b.step.lo, x)) failed_ = true;
      row(x, b.range);
    } else {
      x = fresh(b.range);
      if (b.known) bound(x, b.first, up);
    }
    if (b.known) bound(x, b.last, !up);
    return known_[v] = std::move(x);
  }
  /// Adds the constraint x >= n if `above`, else x <= n. Without terms the range of x implies it.
  void bound(const Linear& x, const Number& n, bool above) {
    if (n.terms.empty()) return;
    Linear l = x;
    if (sum(n.terms, -1, l)) row(l, above ? Interval{n.rest.lo, Interval::most} : Interval{Interval::least, n.rest.hi});
  }
  Linear fresh(const Interval& range) {
    system.variables.push_back(range);
    return {{{static_cast<int>(system.variables.size()) - 1, 1}}, 0};
  }
  const LoopTable& loops_;
  std::map<LoopVariable, Linear> known_;
  bool failed_ = false;
};

}  // namespace

bool at_least(const Number& n, int64_t limit, const LoopTable& loops, IntegerPrograms& programs) {
  if (!n.whole) return false;
  if (n.range.lo >= limit || n.terms.empty()) {
    ++programs.statistics.asked;
    ++(n.range.lo >= limit ? programs.statistics.by_interval : programs.statistics.open);
    return n.range.lo >= limit;
  }
  // Asks whether the value can be below the limit.
  if (n.rest.lo == Interval::least) return false;
  Builder b(loops);
  Linear l;
  if (!b.sum(n.terms, 1, l)) return false;
  b.row(l, {Interval::least, (Interval::of(limit) - Interval::of(1) - Interval::of(n.rest.lo)).hi});
  return programs.infeasible(b.system);
}

bool at_most(const Number& n, int64_t limit, const LoopTable& loops, IntegerPrograms& programs) {
  if (!n.whole || limit == Interval::least) return false;
  return at_least(-n, -limit, loops, programs);
}

bool never_below(const SubscriptAccess& a, int64_t base, const LoopTable& loops, IntegerPrograms& programs) {
  for (const Number& n : a.low)
    if (!at_least(n, base, loops, programs)) return false;
  return a.known;
}

bool never_above(const SubscriptAccess& a, int64_t base, const LoopTable& loops, IntegerPrograms& programs) {
  int64_t limit = 0;
  if (__builtin_add_overflow(a.extent.lo, base - 1, &limit)) return false;
  for (const Number& n : a.high)
    if (!at_most(n, limit, loops, programs)) return false;
  return a.known;
}

}  // namespace vr::analysis
