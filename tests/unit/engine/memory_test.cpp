// Unloaded modules are freed: the process does not grow while modules are loaded and unloaded.
#include <velociraptor/velociraptor.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace vr {
namespace {

/// f(a, i) = a(i) * `factor`; each factor makes another text.
std::string memory_program(int factor) {
  return fmt::format(R"((module :name m{0} :indexing 0 (fns (function :name f
 (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64))) (arglist 0 1)
 (body (returnstmt (exprs (mult (float64) (lhs (realconst :dval {0} (float64)))
  (rhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))))))))))
 (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64)))))))",
                     factor);
}

int64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  int64_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

class Memory : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/vr-memory-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory_ = name;
    setenv("VR_CACHE_DIR", name, 1);
  }
  void TearDown() override {
    unsetenv("VR_CACHE_DIR");
    std::filesystem::remove_all(directory_);
  }
  /// One load, its calls, and the release of everything. The number determines the kind of module.
  void cycle(int k) {
    Options o;
    o.target = k % 3 == 0 ? Target::CpuParallel : Target::Cpu;
    o.opt_level = 0;
    // One in eight is compiled; the others come from the object cache.
    o.disk_cache = k % 8 != 0;
    auto engine = Engine::create(o);
    ASSERT_TRUE(engine);
    if (k % 50 == 1) {
      EXPECT_FALSE(engine->load("(module :name broken (fns (function :name f", "broken.vrir"));
      return;
    }
    if (k % 50 == 2) {
      std::string wrong = memory_program(k % 5);
      wrong.replace(wrong.find(":id 1 (int64)"), 13, ":id 7 (int64)");
      EXPECT_FALSE(engine->load(wrong, "wrong.vrir"));
      return;
    }
    auto module = engine->load(memory_program(o.disk_cache ? k % 5 : k), "m.vrir");
    ASSERT_TRUE(module) << module.error().text();
    auto f = module->function("f");
    ASSERT_TRUE(f);
    Array a = Array::from({1, 2, 3});
    auto r = (*f)(a, int64_t{1});
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_FALSE((*f)(a, int64_t{3}));
    EXPECT_FALSE((*f)(1.0, int64_t{3}));
  }
  std::string directory_;
};

TEST_F(Memory, LoadingAndUnloadingDoesNotGrowTheProcess) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep freed memory to themselves";
#endif
  constexpr int warm_up = 2000, all = 12000;
  for (int k = 0; k < warm_up; ++k) cycle(k);
  const int64_t before = resident_bytes();
  for (int k = warm_up; k < all; ++k) cycle(k);
  const int64_t grown = resident_bytes() - before;
  RecordProperty("grown_bytes", std::to_string(grown));
  // A page of code that is not freed would be 40 MB for all modules, a symbol's name 0.6 MB.
  EXPECT_LT(grown, int64_t{2} << 20) << grown / (all - warm_up) << " bytes each";
}

}  // namespace
}  // namespace vr
