// What is proved about numbers over loop variables holds in every iteration, whatever the factors are: checked by
// enumeration in 128
// bits.
#include "analysis/subscript_proofs.hpp"

#include "analysis/integer_programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace vr::analysis {
namespace {

using Wide = __int128;

struct Loop {
  int64_t start = 0, stop = 0,
          step = 1;  ///< from `start` to `stop`, both relative to the variable `outer` if there is one
  int outer = -1;
};

/// Loops 0, 1, ..., each inside of the one before.
struct Nest {
  std::vector<Loop> loops;
  LoopVariable variable(int k) const { return {10 + k, 0}; }

  template <class F>
  void each(F f) const {
    std::vector<int64_t> at(loops.size());
    run(0, at, f);
  }
  template <class F>
  void run(size_t k, std::vector<int64_t>& at, F& f) const {
    if (k == loops.size()) return f(at);
    const Loop& l = loops[k];
    const int64_t from = l.outer < 0 ? 0 : at[static_cast<size_t>(l.outer)];
    for (int64_t v = from + l.start; l.step > 0 ? v <= from + l.stop : v >= from + l.stop; v += l.step) {
      at[k] = v;
      run(k + 1, at, f);
    }
  }
  LoopTable table() const {
    std::vector<Interval> ranges(loops.size(), Interval{INT64_MAX, INT64_MIN});
    each([&](const std::vector<int64_t>& at) {
      for (size_t k = 0; k < at.size(); ++k)
        ranges[k] = {std::min(ranges[k].lo, at[k]), std::max(ranges[k].hi, at[k])};
    });
    LoopTable t;
    for (size_t k = 0; k < loops.size(); ++k) {
      const Loop& l = loops[k];
      IterationBounds b;
      b.whole = b.known = true;
      b.step = Interval::of(l.step);
      b.range = ranges[k];
      auto end = [&](int64_t v) {
        return l.outer < 0 ? Number::of(v)
                           : Number::variable(variable(l.outer), ranges[static_cast<size_t>(l.outer)]) + Number::of(v);
      };
      b.first = end(l.start);
      b.last = end(l.stop);
      t[variable(static_cast<int>(k))] = b;
    }
    return t;
  }
};

/// The sum of factor * loop variable, and `rest`, without a known interval.
Number number(const Nest& nest, const std::vector<int64_t>& factors, int64_t rest) {
  Number n = Number::in({Interval::least, Interval::most});
  for (size_t k = 0; k < factors.size(); ++k)
    if (factors[k] != 0) n.terms.push_back({nest.variable(static_cast<int>(k)), factors[k]});
  n.rest = Interval::of(rest);
  return n;
}

struct Ends {
  Wide lo = 0, hi = 0;
  bool any = false;
  bool fit() const { return any && lo > INT64_MIN && hi < INT64_MAX; }
};
Ends ends(const Nest& nest, const std::vector<int64_t>& factors, int64_t rest) {
  Ends e;
  nest.each([&](const std::vector<int64_t>& at) {
    Wide v = rest;
    for (size_t k = 0; k < at.size(); ++k) v += Wide{factors[k]} * at[k];
    e.lo = e.any ? std::min(e.lo, v) : v;
    e.hi = e.any ? std::max(e.hi, v) : v;
    e.any = true;
  });
  return e;
}

TEST(SubscriptProofs, HoldOfEveryIteration) {
  std::mt19937_64 random(11);
  auto pick = [&](int64_t lo, int64_t hi) { return lo + static_cast<int64_t>(random() % uint64_t(hi - lo + 1)); };
  int fitting = 0, proved = 0;
  for (int round = 0; round < 20000; ++round) {
    Nest nest;
    const int depth = static_cast<int>(pick(1, 4));
    for (int k = 0; k < depth; ++k) {
      Loop l;
      l.outer = k > 0 && pick(0, 3) ? static_cast<int>(pick(0, k - 1)) : -1;
      l.step = std::vector<int64_t>{1, 1, 2, 3, -1, -2}[static_cast<size_t>(pick(0, 5))];
      l.start = pick(-3, 3);
      l.stop = l.start + (l.step > 0 ? pick(0, 5) : -pick(0, 5));
      nest.loops.push_back(l);
    }
    const bool large = pick(0, 1);
    std::vector<int64_t> factors;
    for (int k = 0; k < depth; ++k) factors.push_back(large ? pick(-8, 8) * (int64_t{1} << pick(57, 59)) : pick(-4, 4));
    const int64_t rest = large ? pick(-4, 4) * (int64_t{1} << pick(58, 60)) : pick(-9, 9);
    const Ends e = ends(nest, factors, rest);
    if (!e.fit()) continue;
    ++fitting;
    const LoopTable table = nest.table();
    const Number n = number(nest, factors, rest);
    IntegerPrograms programs;
    const auto lo = static_cast<int64_t>(e.lo), hi = static_cast<int64_t>(e.hi);
    for (int64_t limit : {lo, int64_t{0}, int64_t{1}, hi}) {
      const bool least = at_least(n, limit, table, programs), most = at_most(n, limit, table, programs);
      ASSERT_FALSE(least && lo < limit) << "round " << round << ": from " << lo << ", proved from " << limit;
      ASSERT_FALSE(most && hi > limit) << "round " << round << ": up to " << hi << ", proved up to " << limit;
      proved += least + most;
    }
  }
  EXPECT_GT(fitting, 8000);
  EXPECT_GT(proved, 10000);
}

}  // namespace
}  // namespace vr::analysis
