#include "analysis/number.hpp"

#include <fmt/format.h>

namespace vr::analysis {

namespace {

using Wide = __int128;
constexpr Wide least = Interval::least, most = Interval::most;

int64_t saturated(Wide v) { return static_cast<int64_t>(std::clamp(v, least, most)); }

// An end that stands for "no bound" is not changed.
int64_t sum(int64_t a, int64_t b, int64_t none) { return a == none || b == none ? none : saturated(Wide(a) + b); }

// Terms with larger factors are dropped, so that sums of products of factors cannot overflow.
constexpr int64_t most_factor = int64_t{1} << 31;
constexpr size_t most_terms = 8;

std::optional<std::vector<Term>> added(const std::vector<Term>& a, const std::vector<Term>& b, int64_t sign) {
  std::vector<Term> r;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    Term t;
    if (j == b.size() || (i < a.size() && a[i].variable < b[j].variable)) {
      t = a[i++];
    } else if (i == a.size() || b[j].variable < a[i].variable) {
      t = {b[j].variable, sign * b[j].factor};
      ++j;
    } else {
      t = {a[i].variable, a[i].factor + sign * b[j].factor};
      ++i, ++j;
    }
    if (t.factor > most_factor || t.factor < -most_factor) return {};
    if (t.factor != 0) r.push_back(t);
  }
  if (r.size() > most_terms) return {};
  return r;
}

Number combined(const Number& a, const Number& b, int64_t sign) {
  if (!a.whole || !b.whole) return {};
  Number r = Number::in(sign > 0 ? a.range + b.range : a.range - b.range);
  const bool linear = !a.terms.empty() || !b.terms.empty();
  if (!linear) return r;
  auto terms = added(a.terms, b.terms, sign);
  if (!terms) return r;
  const Interval rest = sign > 0 ? a.sum_rest() + b.sum_rest() : a.sum_rest() - b.sum_rest();
  if (terms->empty()) {
    // The variables have cancelled: `rest` bounds the number at least as well as the ranges.
    if (auto both = meet(r.range, rest)) r.range = *both;
    return r;
  }
  if (rest == Interval{}) return r;
  r.terms = std::move(*terms);
  r.rest = rest;
  return r;
}

}  // namespace

std::string Interval::text() const {
  if (single()) return std::to_string(lo);
  if (lo == least && hi == most) return "?";
  return fmt::format("{}..{}", lo == least ? "" : std::to_string(lo), hi == most ? "" : std::to_string(hi));
}

Interval operator+(const Interval& a, const Interval& b) {
  return {sum(a.lo, b.lo, Interval::least), sum(a.hi, b.hi, Interval::most)};
}
Interval operator-(const Interval& a) {
  return {a.hi == Interval::most ? Interval::least : saturated(-Wide(a.hi)),
          a.lo == Interval::least ? Interval::most : saturated(-Wide(a.lo))};
}
Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
Interval operator*(const Interval& a, const Interval& b) {
  // An absent upper bound counts as 2^63, so that a product with it is not less than where products saturate.
  auto high = [](const Interval& i) { return i.hi == Interval::most ? most + 1 : Wide(i.hi); };
  const auto ends = std::minmax({Wide(a.lo) * b.lo, a.lo * high(b), high(a) * b.lo, high(a) * high(b)});
  return {saturated(ends.first), saturated(ends.second)};
}

std::optional<Interval> quotient(const Interval& a, const Interval& b) {
  std::optional<Interval> r;
  auto with = [&](int64_t d) {
    for (int64_t n : {a.lo, a.hi}) {
      const Interval q = Interval::of(saturated(Wide(n) / d));
      r = r ? hull(*r, q) : q;
    }
  };
  // Separately for positive and negative divisors: the quotient is monotone in each case.
  if (b.hi > 0) with(std::max<int64_t>(b.lo, 1)), with(b.hi);
  if (b.lo < 0) with(std::min<int64_t>(b.hi, -1)), with(b.lo);
  return r;
}

Number operator+(const Number& a, const Number& b) { return combined(a, b, 1); }
Number operator-(const Number& a, const Number& b) { return combined(a, b, -1); }
Number operator-(const Number& a) { return Number::of(0) - a; }

Number operator*(const Number& a, const Number& b) {
  if (!a.whole || !b.whole) return {};
  Number r = Number::in(a.range * b.range);
  const Number &linear = a.terms.empty() ? b : a, &factor = a.terms.empty() ? a : b;
  const auto k = factor.constant();
  if (linear.terms.empty() || !k || *k == 0 || *k > most_factor || *k < -most_factor) return r;
  r.rest = linear.rest * Interval::of(*k);
  for (const Term& t : linear.terms) {
    const Wide f = Wide(t.factor) * *k;
    if (f > most_factor || f < -most_factor) return Number::in(r.range);
    r.terms.push_back({t.variable, static_cast<int64_t>(f)});
  }
  return r;
}

Number join(const Number& a, const Number& b) {
  if (!a.whole || !b.whole) return {};
  Number r = Number::in(hull(a.range, b.range));
  if (a.terms.empty() || a.terms != b.terms) return r;
  r.terms = a.terms;
  r.rest = hull(a.rest, b.rest);
  return r;
}

std::optional<Interval> numbers_of(ir::Elem e) {
  if (known_whole(e)) return Interval{ir::int_limits(e).least, ir::int_limits(e).most};
  constexpr int64_t exact = int64_t{1} << 53;
  return e == ir::Elem::Float64 ? std::optional(Interval{-exact, exact}) : std::nullopt;
}

Number any_of(const ir::Type& t) {
  const auto all = numbers_of(t.elem);
  return t.complex || ir::is_float(t.elem) || !all ? Number{} : Number::in(*all);
}

Number computed(const Number& n, ir::Elem e) {
  const auto all = numbers_of(e);
  if (!n.whole || !all) return any_of(ir::Type::scalar(e));
  const bool saturates = n.range.lo == Interval::least || n.range.hi == Interval::most;
  return n.range.within(*all) && !saturates ? n : any_of(ir::Type::scalar(e));
}

Number converted(const Number& n, const ir::Type& to) {
  const auto all = numbers_of(to.elem);
  if (to.complex || !n.whole || !all) return any_of(to);
  if (to.elem == ir::Elem::Bool && !n.range.contains(0)) return Number::of(1);
  return n.range.within(*all) ? n : any_of(to);
}

}  // namespace vr::analysis
