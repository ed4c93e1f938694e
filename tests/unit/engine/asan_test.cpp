// In the asan preset generated code is instrumented like the library: reads and writes out of bounds are reported, for
// arrays of the built-in host, of another host, and for the engine's temporaries.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace vr {
namespace {

// Bounds checks are off. outside: element i of a. temporary: element i of a + a, which is the engine's. store: writes
// element i.
constexpr const char* asan_text = R"((module :name m :indexing 0 (fns
 (function :name outside
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64))) (arglist 0 1)
  (body (returnstmt (exprs (index :arrayid 0 (float64)
   (indices (index :boundscheck %0 :negative %0 (name :id 1 (int64))))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name store
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (void))) (arglist 0 1)
  (body (assignstmt
   (lhs (index :arrayid 0 (float64) (indices (index :boundscheck %0 :negative %0 (name :id 1 (int64))))))
   (rhs (realconst :dval 7 (float64)))) (returnstmt (exprs)))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name temporary
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64))) (arglist 0 1)
  (body
   (assignstmt (lhs (name :id 2 (arraytype :layout rowmajor :ndims 1 (float64))))
    (rhs (plus (arraytype :layout rowmajor :ndims 1 (float64))
     (lhs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))))
     (rhs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64)))))))
   (returnstmt (exprs (index :arrayid 2 (float64)
    (indices (index :boundscheck %0 :negative %0 (name :id 1 (int64))))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))
   (sym :id 2 :name b (arraytype :layout rowmajor :ndims 1 (float64))))))))";

class GeneratedCodeDeathTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Levels, GeneratedCodeDeathTest, testing::Values(0, 2));

TEST_P(GeneratedCodeDeathTest, IsInstrumented) {
#if !defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "only with VR_SANITIZE=address";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Options o;
  o.target = Target::Cpu;
  o.opt_level = GetParam();
  auto engine = Engine::create(o);
  auto module = engine->load(asan_text, "outside.vrir");
  ASSERT_TRUE(module) << module.error().text();
  const Array builtin = Array::from({1, 2, 3, 4, 5});
  std::unique_ptr<double[]> mine(new double[5]());
  const int64_t extent[] = {5}, stride[] = {8};
  const Array foreign = Array::borrow(mine.get(), Elem::Float64, false, extent, stride);
  for (const char* name : {"outside", "store", "temporary"}) {
    Function f = *module->function(name);
    for (const Array& a : {builtin, foreign}) {
      EXPECT_TRUE(f(a, int64_t{4}));
      EXPECT_DEATH((void)f(a, int64_t{5}), "AddressSanitizer: .*(poison|overflow)") << name;
      EXPECT_DEATH((void)f(a, int64_t{-1}), "AddressSanitizer: .*(poison|overflow)") << name;
    }
  }
}

}  // namespace
}  // namespace vr
