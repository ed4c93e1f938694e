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

TEST(Number, WhatMayWrapIsAnything) {
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

TEST(Number, TermsFollowSumsAndProducts) {
  const Number i = Number::variable({1, 0}, {0, 9}), j = Number::variable({2, 0}, {0, 9});
  const Number n = (i + j) * Number::of(3) - i * Number::of(3) - Number::in({0, 2});
  ASSERT_EQ(n.terms.size(), 1u);
  EXPECT_EQ(n.terms[0].variable, (LoopVariable{2, 0}));
  EXPECT_EQ(n.terms[0].factor, 3);
  EXPECT_EQ(n.rest, (Interval{-2, 0}));
  // What cancels is known better than by intervals.
  EXPECT_EQ((i + Number::of(4) - i).constant(), 4);
  EXPECT_TRUE((i * j).terms.empty());
  const Number both = join(i + Number::of(1), i - Number::of(1));
  ASSERT_EQ(both.terms.size(), 1u);
  EXPECT_EQ(both.rest, (Interval{-1, 1}));
  EXPECT_TRUE(join(i, j).terms.empty());
}

}  // namespace
}  // namespace vr::analysis
