#include "analysis/integer_programs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace vr::analysis {
namespace {

// Enumerates all points.
bool has_solution(const AffineSystem& s) {
  std::vector<int64_t> x;
  for (const Interval& v : s.variables) x.push_back(v.lo);
  for (;;) {
    bool all = true;
    for (const AffineRow& r : s.rows) {
      __int128 sum = 0;
      for (const auto& [v, f] : r.factors) sum += __int128(f) * x[static_cast<size_t>(v)];
      all = all && (r.bounds.lo == Interval::least || sum >= r.bounds.lo) &&
            (r.bounds.hi == Interval::most || sum <= r.bounds.hi);
    }
    if (all) return true;
    size_t k = 0;
    for (; k < x.size(); ++k) {
      if (x[k]++ < s.variables[k].hi) break;
      x[k] = s.variables[k].lo;
    }
    if (k == x.size()) return false;
  }
}

AffineSystem random_system(std::mt19937_64& random, int64_t size) {
  auto number = [&](int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(random); };
  AffineSystem s;
  for (int64_t n = number(1, 3); n > 0; --n) {
    const int64_t lo = number(-6, 4);
    s.variables.push_back({lo, lo + number(0, 7)});
  }
  for (int64_t n = number(1, 4); n > 0; --n) {
    AffineRow r;
    for (int v = 0; v < static_cast<int>(s.variables.size()); ++v)
      if (const int64_t f = number(-size, size); f != 0) r.factors.emplace_back(v, f);
    const int64_t lo = number(-4 * (size / 2), 4 * (size / 2));
    r.bounds = {number(0, 4) ? lo : Interval::least,
                number(0, 4) ? std::max(lo, lo + number(0, size / 2)) : Interval::most};
    s.rows.push_back(std::move(r));
  }
  return s;
}

TEST(IntegerPrograms, NeverMissASolution) {
  std::mt19937_64 random(1);
  IntegerPrograms programs({1'000'000, 1000, 1e9});
  int none = 0, shown = 0;
  for (int k = 0; k < 4000; ++k) {
    const AffineSystem s = random_system(random, k % 2 ? 4 : 13);
    const bool some = has_solution(s);
    const bool by[] = {infeasible_by_interval(s), infeasible_by_elimination(s), infeasible_by_solver(s, 1000, 1000),
                       programs.infeasible(s)};
    for (bool b : by) ASSERT_FALSE(b && some) << "system " << k;
    none += !some;
    shown += by[3];
  }
  EXPECT_GT(none, 1000);
  EXPECT_GE(shown, none * (have_solver() ? 99 : 90) / 100) << none;
  const ProgramStatistics& t = programs.statistics;
  EXPECT_EQ(t.asked, 4000);
  EXPECT_EQ(t.open, 4000 - shown);
}

// The cache key of a result contains everything in which two systems may differ.
TEST(IntegerPrograms, CachedAnswersAreForTheSameSystem) {
  auto system = [](Interval x, Interval y, std::pair<int64_t, int64_t> factors, Interval bounds) {
    AffineSystem s;
    s.variables = {x, y};
    s.rows.push_back({{{0, factors.first}, {1, factors.second}}, bounds});
    return s;
  };
  // 4x + 6y is even: it cannot be between two consecutive odd numbers.
  const Interval many{-1000, 1000};
  const AffineSystem none = system(many, many, {4, 6}, {1, 1});
  const AffineSystem each[] = {none,
                               system(many, many, {4, 6}, {0, 1}),   // lower bound
                               system(many, many, {4, 6}, {1, 2}),   // upper bound
                               system(many, many, {4, 5}, {1, 1}),   // a factor
                               system({0, 1000}, {-1, 1000}, {3, 6}, {-6, -4}),
                               system({0, 1000}, {0, 1000}, {3, 6}, {-6, -4})};
  IntegerPrograms programs({1'000'000, 1000, 1e9});
  for (int round = 0; round < 2; ++round)
    for (const AffineSystem& s : each) {
      IntegerPrograms alone({1'000'000, 1000, 1e9});
      EXPECT_EQ(programs.infeasible(s), alone.infeasible(s)) << round << " " << &s - each;
    }
  EXPECT_TRUE(programs.infeasible(none));
  EXPECT_FALSE(programs.infeasible(each[1]));
  EXPECT_GT(programs.statistics.from_memo, 0);
}

TEST(IntegerPrograms, LargeNumbersAreSound) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 4000; ++k) {
    AffineSystem s = random_system(random, 9);
    for (AffineRow& r : s.rows) {
      const int64_t by = int64_t{1} << (k % 59);
      for (auto& [v, f] : r.factors) f *= by;
      auto scaled = [&](int64_t v) {
        int64_t p = 0;
        return v == Interval::least || v == Interval::most ? v : __builtin_mul_overflow(v, by, &p) ? v : p - k % 3;
      };
      r.bounds = {scaled(r.bounds.lo), scaled(r.bounds.hi)};
      if (r.bounds.lo > r.bounds.hi) r.bounds.hi = r.bounds.lo;
    }
    const bool some = has_solution(s);
    ASSERT_FALSE(infeasible_by_interval(s) && some) << k;
    ASSERT_FALSE(infeasible_by_elimination(s) && some) << k;
    ASSERT_FALSE(infeasible_by_solver(s, 100, 100) && some) << k;
  }
}

// Pugh's example for the Omega test: real solutions, but no integer ones.
AffineSystem omega() {
  return {{{-100, 100}, {-100, 100}}, {{{{0, 11}, {1, 13}}, {27, 45}}, {{{0, 7}, {1, -9}}, {-10, 4}}}};
}

TEST(IntegerPrograms, WholeNumbersAreMoreThanRealOnes) {
  EXPECT_FALSE(has_solution(omega()));
  EXPECT_FALSE(infeasible_by_interval(omega()));
  EXPECT_FALSE(infeasible_by_elimination(omega()));
  EXPECT_EQ(infeasible_by_solver(omega(), 200, 1000), have_solver());
  IntegerPrograms programs;
  EXPECT_EQ(programs.infeasible(omega()), have_solver());
  EXPECT_EQ(programs.infeasible(omega()), have_solver());
  EXPECT_EQ(programs.statistics.asked, 2);
  EXPECT_EQ(programs.statistics.from_memo, 1);
  EXPECT_EQ(programs.statistics.glpk_calls, have_solver() ? 1 : 0);
}

TEST(IntegerPrograms, ABudgetEnds) {
  IntegerPrograms none({0, 200, 20});
  EXPECT_FALSE(none.infeasible(omega()));
  EXPECT_EQ(none.statistics.glpk_calls, 0);
  EXPECT_EQ(none.statistics.open, 1);
}

TEST(IntegerPrograms, WithoutBoundsThereIsASolution) {
  const AffineSystem s{{{}, {}}, {{{{0, 1}, {1, -1}}, {1, Interval::most}}}};
  EXPECT_FALSE(infeasible_by_interval(s));
  EXPECT_FALSE(infeasible_by_elimination(s));
  EXPECT_FALSE(infeasible_by_solver(s, 100, 100));
  const AffineSystem odd{{{}, {}}, {{{{0, 2}, {1, -4}}, {7, 7}}}};
  EXPECT_TRUE(infeasible_by_elimination(odd));
}

TEST(IntegerPrograms, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> shown(8, 0);
  for (size_t t = 0; t < shown.size(); ++t)
    threads.emplace_back([&shown, t] {
      std::mt19937_64 random(7);
      IntegerPrograms programs({1'000'000, 1000, 1e9});
      for (int k = 0; k < 300; ++k) shown[t] += programs.infeasible(random_system(random, 13));
    });
  for (std::thread& t : threads) t.join();
  for (int n : shown) EXPECT_EQ(n, shown[0]);
}

}  // namespace
}  // namespace vr::analysis
