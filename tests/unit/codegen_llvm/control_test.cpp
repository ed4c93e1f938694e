// Loops, jumps, faults and the order of the ways out.
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

}  // namespace
}  // namespace vr::test
