#include "runtime/gpu/regions/domain.hpp"

#include "runtime/gpu/regions/lmad.hpp"

#include <algorithm>

namespace vr::gpu {
namespace {

constexpr int64_t limit = int64_t{1} << 62;
/// Number of strips of a loop on which inner bounds depend: a triangle divided into so many boxes is covered with an
/// excess of a fortieth.
constexpr int64_t strips = 40;

bool in_limit(int64_t v) { return v > -limit && v < limit; }

Number multiplied(Number a, int64_t b) {
  int64_t r = 0;
  return a && !__builtin_mul_overflow(*a, b, &r) && in_limit(r) ? Number(r) : Number();
}
Number plus(Number a, Number b) {
  int64_t r = 0;
  return a && b && !__builtin_add_overflow(*a, *b, &r) && in_limit(r) ? Number(r) : Number();
}

/// The smallest (sign -1) or largest value in the box, without the term of `except`.
Number extreme(const AffineNumber& n, const Domain& d, int sign, int64_t except = -1) {
  Number r = n.base;
  for (const auto& [loop, factor] : n.factors) {
    if (loop == except) continue;
    const Domain::Range range = d.of(loop);
    r = plus(r, multiplied((factor > 0) == (sign > 0) ? range.hi : range.lo, factor));
  }
  return r;
}

/// The nest, with the numbers of the launch.
struct Nest {
  std::vector<AffineNumber> at_least_0;  ///< bounds and conditions

  /// The number of counters on which the condition depends and that have more than one value in the box.
  static int depends(const AffineNumber& n, const Domain& d) {
    return int(std::count_if(n.factors.begin(), n.factors.end(), [&](const auto& f) {
      const Domain::Range r = d.of(f.loop);
      return r.lo != r.hi;
    }));
  }
  /// Reduces the ranges to those that the conditions leave. False: no iteration is left. Empty: a number is too large.
  std::optional<bool> shrink(Domain& d) const {
    for (bool again = true, first = true; again; first = false) {
      again = false;
      for (const AffineNumber& n : at_least_0)
        for (const auto& [loop, factor] : n.factors) {
          const Number rest = extreme(n, d, 1, loop);
          if (!rest) return {};
          Domain::Range& r = find(d, loop);
          // factor * counter >= -rest
          const int64_t end = factor > 0 ? -floor_div(*rest, factor) : floor_div(*rest, -factor);
          int64_t& bound = factor > 0 ? r.lo : r.hi;
          if (factor > 0 ? end <= bound : end >= bound) continue;
          bound = end;
          if (r.lo > r.hi) return false;
          again = first;  // a second pass, because inner bounds have narrowed outer ones
        }
      for (const AffineNumber& n : at_least_0) {
        const Number most = extreme(n, d, 1);
        if (!most) return {};
        if (*most < 0) return false;
      }
    }
    // Exact means that each condition holds everywhere in the box.
    d.exact = true;
    for (const AffineNumber& n : at_least_0) {
      const Number least = extreme(n, d, -1);
      if (!least) return {};
      d.exact = d.exact && *least >= 0;
    }
    return true;
  }
  static Domain::Range& find(Domain& d, int64_t loop) {
    return std::find_if(d.ranges.begin(), d.ranges.end(), [&](const auto& r) { return r.loop == loop; })->range;
  }
};

std::optional<Nest> nest_of(const std::vector<int64_t>& loops, const std::vector<AccessForm>& where,
                            const AccessTable& table, const std::vector<Number>& values, Domain& all) {
  Nest nest;
  all.ranges.clear();
  for (int64_t l : loops) {
    const AccessLoop& loop = table.loops[size_t(l)];
    auto lo = evaluate(loop.lo, values), hi = evaluate(loop.hi, values);
    if (!lo || !hi) return {};
    const Number first = extreme(*lo, all, -1), last = plus(extreme(*hi, all, 1), -1);
    if (!first || !last) return {};
    if (!all.ranges.push_back({l, {*first, *last}})) return {};
    // no iteration: shrink() would find that for any condition, but there may be no conditions
    if (*first > *last) continue;
    if (!lo->factors.empty()) {
      for (auto& f : lo->factors) f.factor = -f.factor;
      nest.at_least_0.push_back({-lo->base, lo->factors});
      if (!nest.at_least_0.back().factors.push_back({l, 1})) return {};
    }
    if (!hi->factors.empty()) {
      nest.at_least_0.push_back({hi->base - 1, hi->factors});
      if (!nest.at_least_0.back().factors.push_back({l, -1})) return {};
    }
  }
  for (const AccessForm& form : where) {
    auto n = evaluate(form, values);
    if (!n) return {};
    nest.at_least_0.push_back(std::move(*n));
  }
  return nest;
}

bool empty(const Domain& d) {
  return std::any_of(d.ranges.begin(), d.ranges.end(), [](const auto& r) { return r.range.lo > r.range.hi; });
}

/// Either the whole box or nothing.
std::optional<Domain> around(const std::vector<int64_t>& loops, const std::vector<AccessForm>& where,
                             const AccessTable& table, const std::vector<Number>& values, bool& none) {
  Domain d;
  const auto nest = nest_of(loops, where, table, values, d);
  none = false;
  if (!nest) return {};
  none = empty(d);
  if (none) return d;
  const auto left = nest->shrink(d);
  if (!left) return {};
  none = !*left;
  return d;
}

}  // namespace

Domain::Range Domain::of(int64_t loop) const {
  for (const auto& [l, range] : ranges)
    if (l == loop) return range;
  return {0, 0};
}

std::optional<AffineNumber> evaluate(const AccessForm& form, const std::vector<Number>& values) {
  AffineNumber r;
  for (const AccessTerm& term : form) {
    Number n = term.factor;
    for (int64_t v : term.values) n = values[size_t(v)] ? multiplied(n, *values[size_t(v)]) : Number();
    if (!n || !in_limit(*n)) return {};
    if (*n == 0) continue;
    if (term.loop < 0) {
      n = plus(r.base, n);
      if (!n) return {};
      r.base = *n;
      continue;
    }
    auto at = std::find_if(r.factors.begin(), r.factors.end(), [&](const auto& f) { return f.loop == term.loop; });
    if (at == r.factors.end()) {
      if (!r.factors.push_back({term.loop, *n})) return {};
      continue;
    }
    n = plus(at->factor, n);
    if (!n) return {};
    at->factor = *n;
  }
  r.factors.cut(std::remove_if(r.factors.begin(), r.factors.end(), [](const auto& f) { return f.factor == 0; }));
  return r;
}

std::optional<std::vector<Domain>> split_domain(const std::vector<int64_t>& loops, const std::vector<AccessForm>& where,
                                                const AccessTable& table, const std::vector<Number>& values) {
  Domain all;
  const auto nest = nest_of(loops, where, table, values, all);
  if (!nest) return {};
  std::vector<Domain> parts;
  if (empty(all)) return parts;
  const auto left = nest->shrink(all);
  if (!left) return {};
  if (!*left) return parts;
  if (all.exact) return std::vector{all};
  // Divides the outermost loop that a condition relates to another one into strips.
  size_t cut = all.ranges.size();
  for (size_t k = all.ranges.size(); k-- > 0;)
    for (const AffineNumber& n : nest->at_least_0) {
      const Domain::Range r = all.ranges[k].range;
      const bool mentions =
          std::any_of(n.factors.begin(), n.factors.end(), [&](const auto& f) { return f.loop == all.ranges[k].loop; });
      if (mentions && r.lo != r.hi && Nest::depends(n, all) > 1) cut = k;
    }
  if (cut == all.ranges.size()) return std::vector{all};
  const Domain::Range range = all.ranges[cut].range;
  const int64_t count = range.hi - range.lo + 1, pieces = std::min(count, strips);
  for (int64_t p = 0; p < pieces; ++p) {
    Domain part = all;
    // count < 2^62, pieces <= strips: computed from the quotient, so that nothing exceeds 64 bits.
    const int64_t each = count / pieces, more = count % pieces;
    const int64_t lo = range.lo + p * each + std::min(p, more);
    part.ranges[cut].range = {lo, lo + each + (p < more) - 1};
    const auto some = nest->shrink(part);
    if (!some) return {};
    if (*some) parts.push_back(std::move(part));
  }
  return parts;
}

bool holds(const AccessLimit& limit, const AccessTable& table, const std::vector<Number>& values) {
  bool none = false;
  const auto d = around(limit.loops, limit.where, table, values, none);
  if (!d) return false;
  if (none) return true;
  const auto n = evaluate(limit.form, values);
  const Number least = n ? extreme(*n, *d, -1) : Number(), most = n ? extreme(*n, *d, 1) : Number();
  return least && most && *least >= limit.lo && *most <= limit.hi;
}

}  // namespace vr::gpu
