// Control flow: branches, loops, jumps, faults, and the order of cleanups.
#include "build.hpp"

namespace vr::test {
namespace {

// sum of lo..hi-1, with a Continue for multiples of 3 and a Break at `stop`.
std::unique_ptr<jit::CompiledModule> sum_with_jumps(int level) {
  Builder b;
  Fn f(b);
  VarId lo = f.param("lo", Scalar::Int64), hi = f.param("hi", Scalar::Int64), stop = f.param("stop", Scalar::Int64);
  VarId sum = f.result("sum", Scalar::Int64), i = f.result("i", Scalar::Int64);
  f << CountedLoop{i, f.get(lo), f.get(hi),
                   block(If{b.binary(Op::Eq, f.get(i), f.get(stop)), block(Break{}), {}},
                         If{b.binary(Op::Eq, b.binary(Op::Rem, f.get(i), b.i64(3)), b.i64(0)), block(Continue{}), {}},
                         SetVar{sum, b.add(f.get(sum), f.get(i))})};
  return compile(b, level);
}

TEST(Control, CountedLoopWithBreakAndContinue) {
  for (int level : all_levels) {
    auto m = sum_with_jumps(level);
    ASSERT_TRUE(m);
    vr_entry f = m->entry("f");
    ASSERT_TRUE(f);
    auto run = [&](int64_t lo, int64_t hi, int64_t stop) {
      Outcome o = call(f, {value(lo), value(hi), value(stop)});
      EXPECT_EQ(o.status, VR_OK);
      return std::pair(o.results[0].i64, o.results[1].i64);
    };
    EXPECT_EQ(run(0, 6, -1), std::pair(int64_t{1 + 2 + 4 + 5}, int64_t{5}));
    EXPECT_EQ(run(0, 6, 2), std::pair(int64_t{1}, int64_t{2}));
    EXPECT_EQ(run(5, 5, -1), std::pair(int64_t{0}, int64_t{0}));
    EXPECT_EQ(run(7, 5, -1), std::pair(int64_t{0}, int64_t{0}));
    EXPECT_EQ(run(-4, 1, 100), std::pair(int64_t{-4 - 2 - 1}, int64_t{0}));
    EXPECT_EQ(run(INT64_MAX - 2, INT64_MAX, 0).second, INT64_MAX - 1);
  }
}

// The bounds are evaluated at the loop's start, whatever the body does to their variables.
TEST(Control, LoopBoundsAreEvaluatedOnce) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId n = f.param("n", Scalar::Int64), count = f.result("count", Scalar::Int64), i = f.var("i", Scalar::Int64);
    f << CountedLoop{i, b.i64(0), f.get(n), block(SetVar{n, b.i64(100)}, SetVar{count, b.add(f.get(count), b.i64(1))})};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(call(m->entry("f"), {value(int64_t{3})}).results[0].i64, 3);
  }
}

// Collatz: a Loop left by Break, with a nested If and a Continue.
TEST(Control, LoopUntilBreak) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId n = f.param("n", Scalar::Int64), steps = f.result("steps", Scalar::Int64);
    ExprP odd = b.binary(Op::Eq, b.binary(Op::Rem, f.get(n), b.i64(2)), b.i64(1));
    f << Loop{block(If{b.binary(Op::Eq, f.get(n), b.i64(1)), block(Break{}), {}},
                    SetVar{steps, b.add(f.get(steps), b.i64(1))},
                    If{odd, block(SetVar{n, b.add(b.mul(f.get(n), b.i64(3)), b.i64(1))}, Continue{}),
                       block(SetVar{n, b.binary(Op::Div, f.get(n), b.i64(2))})})};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(call(m->entry("f"), {value(int64_t{27})}).results[0].i64, 111);
  }
}

// Break and Continue refer to the innermost loop.
TEST(Control, NestedLoops) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId n = f.param("n", Scalar::Int64), count = f.result("count", Scalar::Int64);
    VarId i = f.var("i", Scalar::Int64), j = f.var("j", Scalar::Int64);
    f << CountedLoop{i, b.i64(0), f.get(n),
                     block(CountedLoop{j, b.i64(0), f.get(n),
                                       block(If{b.binary(Op::Gt, f.get(j), f.get(i)), block(Break{}), {}},
                                             SetVar{count, b.add(f.get(count), b.i64(1))})},
                           SetVar{count, b.add(f.get(count), b.i64(100))})};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(call(m->entry("f"), {value(int64_t{4})}).results[0].i64, 4 + 3 + 2 + 1 + 400);
  }
}

TEST(Control, IfTakesOneArm) {
  for (bool unlikely : {false, true}) {
    for (int level : all_levels) {
      Builder b;
      Fn f(b);
      VarId c = f.param("c", Scalar::Bool), r = f.result("r", Scalar::Int64);
      f << If{f.get(c), block(SetVar{r, b.i64(1)}), block(SetVar{r, b.i64(2)}), unlikely}
        << SetVar{r, b.mul(f.get(r), b.i64(10))};
      auto m = compile(b, level);
      ASSERT_TRUE(m);
      EXPECT_EQ(call(m->entry("f"), {value(true)}).results[0].i64, 10);
      EXPECT_EQ(call(m->entry("f"), {value(false)}).results[0].i64, 20);
    }
  }
}

// Statements after a jump, and code after a loop or branch that never ends, are allowed and have no effect.
TEST(Control, UnreachableStatements) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId c = f.param("c", Scalar::Bool), r = f.result("r", Scalar::Int64), i = f.var("i", Scalar::Int64);
    f << CountedLoop{i, b.i64(0), b.i64(5), block(SetVar{r, b.add(f.get(r), b.i64(1))}, Break{}, SetVar{r, b.i64(99)})}
      << If{f.get(c), block(Exit{}), block(Loop{block(SetVar{r, b.add(f.get(r), b.i64(1))}, Exit{})})}
      << SetVar{r, b.i64(77)};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(call(m->entry("f"), {value(true)}).results[0].i64, 1);
    EXPECT_EQ(call(m->entry("f"), {value(false)}).results[0].i64, 2);
  }
}

TEST(Control, VariablesStartAsZero) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    f.result("a", Scalar::Int64);
    f.result("b", Scalar::Float64);
    f.result("c", Scalar::Ptr);
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    Outcome o = call(m->entry("f"), {}, std::vector<vr_value>(3, value(int64_t{-1})));
    for (const vr_value& v : o.results) EXPECT_EQ(v.i64, 0);
  }
}

// log = 10 * log + k, as a store through `p`: shows which parts ran, and in which order.
Store log(Builder& b, ExprP p, int64_t k) {
  return Store{p, b.i64(0), b.add(b.mul(b.load(Scalar::Int64, p, b.i64(0)), b.i64(10)), b.i64(k)), none};
}

// Three exits: Fail, Exit, and the end of the body. On each, the cleanup runs once, after the results are stored.
TEST(Control, CleanupRunsOnEveryWayOut) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId way = f.param("way", Scalar::Int64), p = f.param("p", Scalar::Ptr), r = f.result("r", Scalar::Int64);
    SiteId s = b.site({"solver", "f.vrir:3:7", "A", 1, "no such element"});
    f << log(b, f.get(p), 1)
      << If{b.binary(Op::Eq, f.get(way), b.i64(1)), block(Fail{s, VR_OUT_OF_BOUNDS, b.i64(41), b.i64(40)}), {}, true}
      << SetVar{r, b.i64(5)} << If{b.binary(Op::Eq, f.get(way), b.i64(2)), block(Exit{}), {}} << log(b, f.get(p), 2)
      << SetVar{r, b.i64(6)};
    // Results are stored before the cleanup: its assignments to their variables have no effect on them.
    f.f.cleanup = block(log(b, f.get(p), 3), SetVar{r, b.i64(9)});
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    int64_t log_of_run = 0;
    auto run = [&](int64_t w) {
      log_of_run = 0;
      vr_value memory{};
      memory.function = &log_of_run;
      return call(m->entry("f"), {value(w), memory}, {value(int64_t{-1})});
    };
    Outcome fail = run(1);
    EXPECT_EQ(fail.status, VR_OUT_OF_BOUNDS);
    EXPECT_EQ(log_of_run, 13);
    EXPECT_EQ(fail.error.code, VR_OUT_OF_BOUNDS);
    EXPECT_EQ(fail.error.index, 41);
    EXPECT_EQ(fail.error.extent, 40);
    EXPECT_EQ(fail.error.axis, 1);
    EXPECT_STREQ(fail.error.function, "solver");
    EXPECT_STREQ(fail.error.loc, "f.vrir:3:7");
    EXPECT_STREQ(fail.error.array, "A");
    EXPECT_STREQ(fail.error.message, "no such element");
    EXPECT_EQ(fail.results[0].i64, -1) << "a failing function hands over no result";
    Outcome exit = run(2);
    EXPECT_EQ(exit.status, VR_OK);
    EXPECT_EQ(log_of_run, 13);
    EXPECT_EQ(exit.results[0].i64, 5);
    Outcome end = run(3);
    EXPECT_EQ(end.status, VR_OK);
    EXPECT_EQ(log_of_run, 123);
    EXPECT_EQ(end.results[0].i64, 6);
  }
}

TEST(Control, FailWithoutIndexAndExtentGivesZeros) {
  Builder b;
  Fn f(b);
  f << Fail{b.site({"f", "", "", -1, "division by zero"}), VR_DIV_BY_ZERO};
  auto m = compile(b);
  ASSERT_TRUE(m);
  Outcome o = call(m->entry("f"), {});
  EXPECT_EQ(o.status, VR_DIV_BY_ZERO);
  EXPECT_EQ(o.error.index, 0);
  EXPECT_EQ(o.error.extent, 0);
  EXPECT_EQ(o.error.axis, -1);
}

// Cleanups may have control flow of their own.
TEST(Control, CleanupWithLoop) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId p = f.param("p", Scalar::Ptr), i = f.var("i", Scalar::Int64);
    f.f.cleanup = block(CountedLoop{i, b.i64(0), b.i64(3), block(log(b, f.get(p), 7))});
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    int64_t n = 0;
    vr_value memory{};
    memory.function = &n;
    call(m->entry("f"), {memory});
    EXPECT_EQ(n, 777);
  }
}

// Independent loops carry metadata that lets LLVM vectorise; the values must not change.
TEST(Control, IndependentLoopsKeepTheirMeaning) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    ArrayId x = f.array_param("x", ir::Elem::Float64, 1), y = f.array_param("y", ir::Elem::Float64, 1);
    VarId i = f.var("i", Scalar::Int64), j = f.var("j", Scalar::Int64);
    auto element = [&](ArrayId a, VarId k) { return b.load(Scalar::Float64, f.data(a), f.at(a, f.get(k)), a); };
    ExprP sum = b.add(element(y, j), b.mul(b.f64(2), element(x, j)));
    f << CountedLoop{
        i, b.i64(0), b.i64(2),
        block(CountedLoop{j, b.i64(0), f.extent(x), block(Store{f.data(y), f.at(y, f.get(j)), sum, y}), true}), false};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    std::vector<double> xs(103), ys(103, 1.0);
    for (size_t k = 0; k < xs.size(); ++k) xs[k] = static_cast<double>(k);
    vr_array dx = descriptor(xs, VR_FLOAT64), dy = descriptor(ys, VR_FLOAT64);
    call(m->entry("f"), {value(&dx), value(&dy)});
    for (size_t k = 0; k < xs.size(); ++k) EXPECT_EQ(ys[k], 1.0 + 4.0 * static_cast<double>(k));
  }
}

}  // namespace
}  // namespace vr::test
