#include "analysis/number.hpp"

#include <gtest/gtest.h>

#include <random>

namespace vr::analysis {
namespace {

using Wide = __int128;

constexpr int64_t edges[] = {Interval::least,    Interval::least + 1, -3, -2, -1, 0, 1, 2, 3,
                             Interval::most - 1, Interval::most};

bool contains(const Interval& i, Wide v) {
  return (i.lo == Interval::least || v >= i.lo) && (i.hi == Interval::most || v <= i.hi);
}

template <class F>
void for_pairs(F&& f) {
  std::vector<Interval> all;
  for (int64_t lo : edges)
    for (int64_t hi : edges)
      if (lo <= hi) all.push_back({lo, hi});
  for (const Interval& a : all)
    for (const Interval& b : all) f(a, b);
}

TEST(Number, ArithmeticHoldsEveryResultAtTheEdges) {
  for_pairs([](const Interval& a, const Interval& b) {
    const auto q = quotient(a, b);
    for (int64_t x : edges) {
      if (!a.contains(x)) continue;
      ASSERT_TRUE(contains(-a, -Wide(x))) << a.text();
      for (int64_t y : edges) {
        if (!b.contains(y)) continue;
        const std::string where = a.text() + " and " + b.text();
        ASSERT_TRUE(contains(a + b, Wide(x) + y)) << where;
        ASSERT_TRUE(contains(a - b, Wide(x) - y)) << where;
        ASSERT_TRUE(contains(a * b, Wide(x) * y)) << where;
        if (y != 0) {
          ASSERT_TRUE(q && contains(*q, Wide(x) / y)) << where;
        }
        ASSERT_TRUE(min(a, b).contains(std::min(x, y)) && max(a, b).contains(std::max(x, y))) << where;
      }
    }
  });
}

TEST(Number, ResultsThatMayWrapAreUnbounded) {
  const auto all32 = *numbers_of(ir::Elem::Int32);
  EXPECT_EQ(computed(Number::in({0, all32.hi}) + Number::of(1), ir::Elem::Int32).range, all32);
  EXPECT_EQ(computed(Number::in({0, all32.hi - 1}) + Number::of(1), ir::Elem::Int32).range, (Interval{1, all32.hi}));
  EXPECT_EQ(computed(Number::in({0, Interval::most}) + Number::of(1), ir::Elem::Int64).range, Interval{});
  EXPECT_EQ(computed(Number::in({5, 9}) * Number::of(int64_t{1} << 62), ir::Elem::Int64).range, Interval{});
  EXPECT_FALSE(computed(Number::in({0, int64_t{1} << 53}) + Number::of(1), ir::Elem::Float64).whole);
  EXPECT_EQ(converted(Number::in({-1, 5}), ir::Type::scalar(ir::Elem::Bool)).range, (Interval{0, 1}));
  EXPECT_EQ(converted(Number::in({2, 5}), ir::Type::scalar(ir::Elem::Bool)).constant(), 1);
  EXPECT_FALSE(converted(Number::of(1), ir::Type::scalar(ir::Elem::Float32)).whole);
}

TEST(Number, WithoutABoundAProductHasNone) {
  const Interval rising{0, Interval::most};
  EXPECT_EQ((rising * Interval::of(-1)).lo, Interval::least);
  EXPECT_EQ((Interval::of(-1) * rising).lo, Interval::least);
  EXPECT_EQ((rising * Interval::of(1)).hi, Interval::most);
  EXPECT_EQ((Interval{Interval::least, -1} * Interval::of(-1)).hi, Interval::most);
}

/// A number, together with its value for given loop variables and other inputs.
struct Known {
  Number number;
  int64_t value = 0;
};

// Random sums, differences, products and joins of loop variables and intervals: for all values of the variables, the
// number is in its interval, and its remainder after subtracting its terms is in the interval of the rest.
TEST(Number, WhatIsKnownHoldsForAllValues) {
  std::mt19937 dice(1);
  auto roll = [&](int64_t lo, int64_t hi) { return lo + static_cast<int64_t>(dice() % static_cast<unsigned>(hi - lo + 1)); };
  for (int round = 0; round < 20000; ++round) {
    int64_t variables[3];
    for (int64_t& v : variables) v = roll(-4, 9);
    auto leaf = [&]() -> Known {
      switch (roll(0, 3)) {
        case 0: {
          const int k = static_cast<int>(roll(0, 2));
          return {Number::variable({k + 1, 0}, {-4, 9}), variables[k]};
        }
        case 1: {
          const int64_t v = roll(-5, 5);
          return {Number::of(v), v};
        }
        default: {
          const int64_t v = roll(-5, 5);
          return {Number::in({v - roll(0, 3), v + roll(0, 3)}), v};
        }
      }
    };
    Known x = leaf();
    for (int step = 0; step < 5; ++step) {
      const Known y = leaf();
      switch (roll(0, 4)) {
        case 0:
          x = {x.number + y.number, x.value + y.value};
          break;
        case 1:
          x = {x.number - y.number, x.value - y.value};
          break;
        case 2:
          x = {x.number * y.number, x.value * y.value};
          break;
        case 3:
          x = {-x.number, -x.value};
          break;
        default:
          x = {join(x.number, y.number), roll(0, 1) ? x.value : y.value};
      }
      ASSERT_TRUE(x.number.whole);
      ASSERT_TRUE(x.number.range.contains(x.value)) << x.number.range.text() << " and not " << x.value;
      if (x.number.terms.empty()) continue;
      int64_t rest = x.value;
      for (const Term& t : x.number.terms) rest -= t.factor * variables[t.variable.statement - 1];
      ASSERT_TRUE(x.number.rest.contains(rest)) << x.number.rest.text() << " and not " << rest;
    }
  }
}

TEST(Number, TermsFollowSumsAndProducts) {
  const Number i = Number::variable({1, 0}, {0, 9}), j = Number::variable({2, 0}, {0, 9});
  const Number n = (i + j) * Number::of(3) - i * Number::of(3) - Number::in({0, 2});
  ASSERT_EQ(n.terms.size(), 1u);
  EXPECT_EQ(n.terms[0].variable, (LoopVariable{2, 0}));
  EXPECT_EQ(n.terms[0].factor, 3);
  EXPECT_EQ(n.rest, (Interval{-2, 0}));
  // Terms that cancel are known more precisely than by intervals.
  EXPECT_EQ((i + Number::of(4) - i).constant(), 4);
  EXPECT_TRUE((i * j).terms.empty());
  const Number both = join(i + Number::of(1), i - Number::of(1));
  ASSERT_EQ(both.terms.size(), 1u);
  EXPECT_EQ(both.rest, (Interval{-1, 1}));
  EXPECT_TRUE(join(i, j).terms.empty());
}

}  // namespace
}  // namespace vr::analysis
