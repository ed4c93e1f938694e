// Dependence distances between accesses of a nest, and which iterations may run together.
#include "loop/analysis/dependence.hpp"

#include "loop/text/parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace vr::lower;

namespace {

/// The nest is the first statement of the body, whose statements are separated by semicolons.
struct Nest {
  explicit Nest(std::string body) {
    std::replace(body.begin(), body.end(), ';', '\n');
    const std::string text = R"(module "m"
entry f(a, b, n, m, x) -> () source "f" {
  var a.data: ptr
  var a.extent0: i64
  var a.extent1: i64
  var a.stride0: i64
  var a.stride1: i64
  var b.data: ptr
  var b.extent0: i64
  var b.stride0: i64
  var n: i64
  var m: i64
  var x: f64
  var i: i64
  var j: i64
  var k: i64
  var p: i64
  var q: i64
  array a: f64 a.data - - [a.extent0, a.extent1] [a.stride0, a.stride1]
  array b: f64 b.data - - [b.extent0] [b.stride0]
)" + body + "\n}\n";
    auto m = parse_loops(text, "t.loops");
    EXPECT_TRUE(m) << (m ? "" : m.error().text());
    module = std::move(*m);
    fn = module->functions[0].get();
    loop = &std::get<CountedLoop>(fn->body[0].node);
  }
  std::string text() const { return NestDependences(*fn, *loop).text(*fn); }
  bool may_jam(int64_t lanes) const { return NestDependences(*fn, *loop).may_jam(lanes); }
  bool independent(const std::string& name, int64_t lanes) const {
    VarId v = none;
    for (size_t k = 0; k < fn->vars.size(); ++k)
      if (fn->vars[k].name == name) v = static_cast<VarId>(k);
    return NestDependences(*fn, *loop).is_independent(v, lanes);
  }

  std::unique_ptr<Module> module;
  const Function* fn = nullptr;
  const CountedLoop* loop = nullptr;
};

std::string two(const std::string& statements) { return "for i in [0, n) { for j in [0, m) { " + statements + " } }"; }

TEST(Dependence, DistancesOfBothLoops) {
  EXPECT_EQ(Nest(two("store f64 a[i, j by 8] = f64 a[i + -1, j + 2 by 8]")).text(),
            "0 load a: 1 store a: (-1, 2)\n1 store a: 1 store a: (0, 0)\n");
  EXPECT_EQ(Nest(two("store f64 a[i, j by 8] = f64 a[i * 2, j by 8]")).text(),
            "0 load a: 1 store a: (*, 0)\n1 store a: 1 store a: (0, 0)\n");
}

TEST(Dependence, UnknownSubscriptsDependOnAnyIteration) {
  EXPECT_EQ(Nest(two("store f64 a[0 by 0, j by 8] = x")).text(), "0 store a: 0 store a: (*, 0)\n");
  EXPECT_EQ(Nest(two("store f64 b[i + j by 8] = x")).text(), "0 store b: 0 store b: (*, *)\n");
}

TEST(Dependence, NoneWhereSubscriptsNeverMeet) {
  EXPECT_EQ(Nest(two("store f64 a[i, 1 by 8] = f64 a[i, 2 by 8]")).text(), "1 store a: 1 store a: (0, *)\n");
  EXPECT_EQ(Nest(two("store f64 b[j * 2 by 8] = f64 b[j * 2 + 1 by 8]")).text(), "1 store b: 1 store b: (*, 0)\n");
  // The same loop along two axes by different distances.
  EXPECT_EQ(Nest(two("store f64 a[j, j by 8] = f64 a[j + 1, j by 8]")).text(), "1 store a: 1 store a: (*, 0)\n");
}

TEST(Dependence, VariablesStandForWhatWasAssigned) {
  EXPECT_EQ(
      Nest("for i in [0, n) { p = i + n; for j in [0, m) { q = p + -1; store f64 a[q, j by 8] = f64 a[p, j by 8] } }")
          .text(),
      "0 load a: 1 store a: (1, 0)\n1 store a: 1 store a: (0, 0)\n");
  // The second value is assigned after the use: in the next iteration it is another value.
  EXPECT_EQ(Nest("for i in [0, n) { p = i; store f64 b[p by 8] = f64 b[q by 8]; q = p + 1 }").text(),
            "0 load b: 1 store b: (*)\n1 store b: 1 store b: (0)\n");
  // After the inner loop, its variable and the variables that it assigned depend on its bounds.
  EXPECT_EQ(Nest("for i in [0, n) { for j in [0, m) { p = i }; store f64 b[p by 8] = x }").text(),
            "0 store b: 0 store b: (*)\n");
  EXPECT_EQ(Nest("for i in [0, n) { for j in [0, m) { p = i }; store f64 b[j by 8] = x }").text(),
            "0 store b: 0 store b: (*)\n");
}

TEST(Dependence, DifferentInnerLoopsHaveTheOuterOneInCommon) {
  EXPECT_EQ(Nest("for i in [0, n) { for j in [0, m) { store f64 a[i, j by 8] = x }; for k in [0, m) { store f64 a[i + "
                 "1, k by 8] = x } }")
                .text(),
            "0 store a: 0 store a: (0, 0)\n0 store a: 1 store a: (-1)\n1 store a: 1 store a: (0, 0)\n");
}

TEST(Dependence, ArraysAreDisjointByTheirSetsOnly) {
  EXPECT_EQ(Nest(two("store f64 a[i, j by 8]@0 = f64 b[j by 8]@1")).text(), "1 store a: 1 store a: (0, 0)\n");
  EXPECT_EQ(Nest(two("store f64 a[i, j by 8]@0 = f64 b[j by 8]@64")).text(),
            "0 load b: 1 store a: (*, *)\n1 store a: 1 store a: (0, 0)\n");
  EXPECT_EQ(Nest(two("store f64 a[i, j by 8] = f64 b[j by 8]@1")).text(),
            "0 load b: 1 store a: (*, *)\n1 store a: 1 store a: (0, 0)\n");
}

TEST(Dependence, OtherStatementsAreUnknown) {
  EXPECT_EQ(Nest(two("if x > 0.0 { store f64 b[j by 8] = x }")).text(), "unknown\n");
  EXPECT_FALSE(Nest(two("if x > 0.0 { store f64 b[j by 8] = x }")).may_jam(2));
}

TEST(Dependence, IterationsRunTogetherIfNoOrderChanges) {
  EXPECT_TRUE(Nest(two("store f64 b[j by 8] = f64 b[j by 8] + x")).may_jam(4));
  EXPECT_FALSE(Nest(two("store f64 b[j by 8] = f64 b[j + 1 by 8] + x")).may_jam(2));
  EXPECT_FALSE(Nest(two("store f64 b[j by 8] = f64 b[j + -1 by 8] + x")).may_jam(2));
  // One iteration later at an earlier or the same index, or four iterations later at any index.
  EXPECT_TRUE(Nest(two("store f64 a[i, j by 8] = f64 a[i + -1, j + -1 by 8]")).may_jam(4));
  EXPECT_TRUE(Nest(two("store f64 a[i, j by 8] = f64 a[i + -1, j by 8]")).may_jam(4));
  EXPECT_FALSE(Nest(two("store f64 a[i, j by 8] = f64 a[i + -1, j + 1 by 8]")).may_jam(4));
  EXPECT_FALSE(Nest(two("store f64 a[i, j by 8] = f64 a[i + 1, j + -1 by 8]")).may_jam(4));
  EXPECT_TRUE(Nest(two("store f64 a[i, j by 8] = f64 a[i + -4, j + 1 by 8]")).may_jam(4));
  EXPECT_FALSE(Nest(two("store f64 a[i, j by 8] = f64 a[i + -3, j + 1 by 8]")).may_jam(4));
}

TEST(Dependence, StatementsRunForAllIterationsBeforeTheNextStatement) {
  const std::string loop = "for j in [0, m) { store f64 b[j by 8] = x }";
  EXPECT_FALSE(Nest("for i in [0, n) { store f64 b[0 by 8] = x; " + loop + " }").may_jam(2));
  EXPECT_FALSE(Nest("for i in [0, n) { " + loop + "; store f64 b[0 by 8] = x }").may_jam(2));
  EXPECT_TRUE(Nest("for i in [0, n) { store f64 a[i, 0 by 0] = x; for j in [0, m) { store f64 a[i, j by 8] = x } }")
                  .may_jam(2));
  // The second statement of iteration i reads what the first of iteration i + 1 stores, but before that.
  EXPECT_FALSE(Nest("for i in [0, n) { store f64 b[i by 8] = x; for j in [0, m) { store f64 a[i, j by 8]@0 = f64 b[i + "
                    "1 by 8] } }")
                   .may_jam(2));
}

TEST(Dependence, IndependentInnerLoops) {
  EXPECT_TRUE(Nest(two("store f64 b[j by 8] = f64 b[j by 8] + x")).independent("j", 4));
  EXPECT_FALSE(Nest(two("store f64 b[j by 8] = f64 b[j + 1 by 8] + x")).independent("j", 1));
  // One iteration of the outer loop accesses one row; two together have one row in common.
  const std::string rows = two("store f64 a[i, j by 8] = f64 a[i + -1, j + -1 by 8]");
  EXPECT_TRUE(Nest(rows).independent("j", 1));
  EXPECT_FALSE(Nest(rows).independent("j", 2));
}

}  // namespace
