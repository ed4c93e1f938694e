// `:memory boehm`: no references are counted; no array is freed too early, and none leaks.
#include "runtime/cpu/collect.hpp"

#include <velociraptor/velociraptor.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace vr {
namespace {

/// many(n, size): n times a new vector of `size` ones, plus one; the sum of their first elements. chain(a, n): n times
/// b = a + 1; c = b * 2; a = c - b, which is a + 1, with as many temporaries.
/// both(n): a view of an array of n ones, the array, and the array again. huge(n): n float64.
std::string collected_text(const char* attributes = "") {
  const std::string vec = "(arraytype :layout rowmajor :ndims 1 (float64))";
  const std::string view = "(arraytype :layout strided :ndims 1 (float64))";
  auto name = [&](int id) { return fmt::format("(name :id {} {})", id, vec); };
  auto plus = [&](const char* op, const std::string& l, const std::string& r) {
    return fmt::format("({} {} (lhs {}) (rhs {}))", op, vec, l, r);
  };
  auto set = [&](int id, const std::string& value) {
    return fmt::format("(assignstmt (lhs {}) (rhs {}))", name(id), value);
  };
  auto ones = [&](int n) { return fmt::format("(alloc :func ones {} (args (name :id {} (int64))))", vec, n); };
  auto loop = [&](int k, int n, const std::string& body) {
    return fmt::format(
        "(forstmt (itervars {}) (loopdomain (range :exclude %1 (start (realconst :ival 0 (int64))) "
        "(stop (name :id {} (int64))))) (body {}))",
        k, n, body);
  };
  const std::string one = "(realconst :dval 1.0 (float64))", two = "(realconst :dval 2.0 (float64))";
  const std::string first =
      "(assignstmt (lhs (name :id 4 (float64))) (rhs (plus (float64) (lhs (name :id 4 (float64))) (rhs (index :arrayid "
      "3 "
      "(float64) (indices (index (realconst :ival 0 (int64)))))))))";
  return fmt::format("(module :name collected :indexing 0 :memory boehm {} (fns", attributes) +
         "(function :name many (functype (intypes (int64) (int64)) (outtypes (float64))) (arglist 0 1) (body "
         "(assignstmt (lhs (name :id 4 (float64))) (rhs (realconst :dval 0.0 (float64))))" +
         loop(2, 0, set(3, plus("plus", ones(1), one)) + first) +
         "(returnstmt (exprs (name :id 4 (float64))))) (symtable (sym :id 0 :name n (int64)) (sym :id 1 :name size "
         "(int64))"
         "(sym :id 2 :name k (int64)) (sym :id 3 :name a " +
         vec + ") (sym :id 4 :name s (float64))))" +
         fmt::format("(function :name chain (functype (intypes {0} (int64)) (outtypes {0})) (arglist 0 1) (body ",
                     vec) +
         loop(2, 1,
              set(3, plus("plus", name(0), one)) + set(4, plus("mult", name(3), two)) +
                  set(0, plus("minus", name(4), name(3)))) +
         "(returnstmt (exprs " + name(0) + "))) (symtable (sym :id 0 :name a " + vec +
         ") (sym :id 1 :name n (int64)) (sym :id 2 :name k (int64)) (sym :id 3 :name b " + vec +
         ") (sym :id 4 :name c " + vec + ")))" +
         fmt::format("(function :name both (functype (intypes (int64)) (outtypes {1} {0} {0})) (arglist 0) (body ", vec,
                     view) +
         set(1, ones(0)) +
         fmt::format(
             "(returnstmt (exprs (index :arrayid 1 {} (indices (index (range :exclude %1 (start (realconst :ival 1 "
             "(int64))) (stop (realconst :ival 3 (int64))))))) {} {}))) ",
             view, name(1), name(1)) +
         "(symtable (sym :id 0 :name n (int64)) (sym :id 1 :name a " + vec + ")))" +
         fmt::format("(function :name huge (functype (intypes (int64)) (outtypes {})) (arglist 0) (body ", vec) +
         fmt::format("(returnstmt (exprs (alloc :func empty {} (args (name :id 0 (int64)))))))", vec) +
         "(symtable (sym :id 0 :name n (int64))))))";
}

class Collected : public testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::start_collector()) GTEST_SKIP() << "built without libgc";
  }
  Function get(const char* name, Target target = Target::Cpu, const HostBinding& host = builtin_binding()) {
    Options o;
    o.target = target;
    o.disk_cache = false;
    auto engine = Engine::create(o, host);
    EXPECT_TRUE(engine) << engine.error().text();
    auto module = engine->load(collected_text(), "collected.vrir");
    EXPECT_TRUE(module) << module.error().text();
    auto f = module->function(name);
    EXPECT_TRUE(f);
    return *f;
  }
};

TEST(CollectedRefused, WithoutTheLibrary) {
  if (runtime::start_collector()) GTEST_SKIP() << "built with libgc";
  auto module = Engine::create(Options{})->load(collected_text(), "collected.vrir");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, Code::Unsupported);
}

TEST_F(Collected, HeapStaysBounded) {
  Function many = get("many");
  const auto before = runtime::collector_stats();
  auto r = many(int64_t{10000}, int64_t{10000});
  ASSERT_TRUE(r) << r.error().text();
  const auto after = runtime::collector_stats();
  EXPECT_EQ((*r)[0].as_double(), 20000.0);
  // Every iteration allocated at least one array of 80 kB: 800 MB in total.
  EXPECT_GT(after.allocated_bytes - before.allocated_bytes, int64_t{800} * 1000 * 1000);
  EXPECT_GT(after.collections, before.collections);
  EXPECT_LT(after.heap_bytes, int64_t{100} << 20);
}

TEST_F(Collected, ReachableArraysSurviveCollectionsDuringCalls) {
  Function chain = get("chain");
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0}, calls{0};
  std::thread collector([&] {
    while (!done) {
      runtime::CollectorScope scope(true);
      runtime::collect_now();
    }
  });
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&, t] {
      sigset_t all;
      sigfillset(&all);
      if (t == 0) pthread_sigmask(SIG_BLOCK, &all, nullptr);  // like hosts that handle signals on one thread
      for (int k = 0; k < 40; ++k) {
        auto r = chain(Array::from({double(t), 1, 2, 3, 4, 5, 6, 7}), int64_t{100});
        const bool right =
            r && (*r)[0].array().data_as<double>()[0] == t + 100.0 && (*r)[0].array().data_as<double>()[7] == 107.0;
        wrong += !right;
        ++calls;
      }
    });
  for (std::thread& t : callers) t.join();
  done = true;
  collector.join();
  EXPECT_EQ(calls.load(), 120);
  EXPECT_EQ(wrong.load(), 0);
}

TEST_F(Collected, ResultsShareElementsAsTheyDoWhenCounted) {
  auto r = get("both")(int64_t{5});
  ASSERT_TRUE(r) << r.error().text();
  const Array view = (*r)[0].array(), whole = (*r)[1].array(), again = (*r)[2].array();
  EXPECT_EQ(whole.object(), again.object());
  EXPECT_EQ(view.data_as<double>(), whole.data_as<double>() + 1);
  EXPECT_EQ(view.extent(0), 2);
  {
    runtime::CollectorScope scope(true);
    runtime::collect_now();
  }
  for (int k = 0; k < 5; ++k) EXPECT_EQ(whole.data_as<double>()[k], 1.0);
}

TEST_F(Collected, ForkedChildMayCall) {
  Function chain = get("chain");
  ASSERT_TRUE(chain(Array::from({1, 2}), int64_t{10}));
  const pid_t child = fork();
  if (child == 0) {
    auto r = chain(Array::from({1, 2}), int64_t{100000});
    _exit(r && (*r)[0].array().data_as<double>()[1] == 100002.0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Collected, NoMemoryIsAnError) {
  auto r = get("huge")(int64_t{1} << 44);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, Code::OutOfMemory);
}

}  // namespace
}  // namespace vr
