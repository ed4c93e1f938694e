// Options::tiered and Options::lazy: which code runs when, and that no call is lost when code is replaced.
#include "engine/background.hpp"

#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <thread>
#include <vector>

namespace vr {
namespace {

// `pick(a, i)` is a[i], through a call of `get`; `other(a)` sums a.
const char* tiers_program = R"((module :name m (fns
 (function :name pick
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64))) (arglist 0 1)
  (body (returnstmt (exprs (fncall :fnname get (float64)
    (args (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))) (name :id 1 (int64)))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name get
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64))) (arglist 0 1)
  (body (returnstmt (exprs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name other
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64))) (outtypes (float64))) (arglist 0)
  (body (returnstmt (exprs (libcall :libfunc sum (float64)
    (args (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))))))))";

Options tiered_options() {
  Options o;
  o.target = Target::Cpu;
  o.opt_level = 3;
  o.tiered = true;
  o.disk_cache = false;
  return o;
}

Module load_tiered(const Options& o) {
  auto engine = Engine::create(o);
  EXPECT_TRUE(engine);
  auto m = engine->load(tiers_program);
  EXPECT_TRUE(m) << (m ? "" : m.error().text());
  return *m;
}

/// Keeps the background thread busy until it is opened.
class Gate {
 public:
  Gate() {
    engine::run_in_background([open = open_.get_future().share(), passed = passed_] {
      open.wait();
      passed->set_value();
    });
  }
  ~Gate() { open(); }
  void open() {
    if (!std::exchange(opened_, true)) open_.set_value();
  }

 private:
  std::promise<void> open_;
  std::shared_ptr<std::promise<void>> passed_ = std::make_shared<std::promise<void>>();
  bool opened_ = false;
};

double pick(const Function& f, int64_t i) {
  auto r = f(Array::from({5, 6, 7}), i);
  return r ? (*r)[0].as_double() : -static_cast<double>(static_cast<int>(r.error().code));
}

TEST(Tiers, UnoptimisedCodeRunsUntilOptimisedCodeIsReady) {
  Gate gate;
  Module m = load_tiered(tiered_options());
  auto f = m.function("pick");
  ASSERT_TRUE(f);
  EXPECT_FALSE(m.optimised());
  const vr_entry quick = f->entry();
  ASSERT_NE(quick, nullptr);
  EXPECT_EQ(pick(*f, 2), 7);
  EXPECT_EQ(pick(*f, 3), -static_cast<double>(static_cast<int>(Code::OutOfBounds)));
  EXPECT_EQ(m.compile_info().background_ms, 0);
  gate.open();
  m.wait();
  EXPECT_TRUE(m.optimised());
  EXPECT_NE(f->entry(), quick);
  EXPECT_EQ(pick(*f, 2), 7);
  EXPECT_EQ(pick(*f, 3), -static_cast<double>(static_cast<int>(Code::OutOfBounds)));
  EXPECT_GT(m.compile_info().background_ms, 0);
  EXPECT_TRUE(m.report().empty());
}

TEST(Tiers, BothTiersReportTheSameFault) {
  Gate gate;
  Module m = load_tiered(tiered_options());
  auto f = m.function("pick");
  ASSERT_TRUE(f);
  auto record = [&] {
    auto r = (*f)(Array::from({5, 6, 7}), int64_t{9});
    return r ? std::string() : r.error().text() + r.error().record->loc;
  };
  const std::string quick = record();
  gate.open();
  m.wait();
  EXPECT_EQ(record(), quick);
  EXPECT_NE(quick, "");
}

TEST(Tiers, CallsGoOnWhileTheCodeIsReplaced) {
  Gate gate;
  Module m = load_tiered(tiered_options());
  auto f = m.function("pick");
  ASSERT_TRUE(f);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0}, calls{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      while (!stop) {
        wrong += pick(*f, 1) != 6;
        ++calls;
      }
    });
  while (calls < 100) std::this_thread::yield();
  gate.open();
  m.wait();
  const int before = calls;
  while (calls < before + 100) std::this_thread::yield();
  stop = true;
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Tiers, UnloadingCancelsTheCompilation) {
  Gate gate;
  { Module m = load_tiered(tiered_options()); }
  for (int k = 0; k < 200; ++k) (void)load_tiered(tiered_options()).function("pick");
  gate.open();
  Module last = load_tiered(tiered_options());
  last.wait();  // comes after all the others
  EXPECT_TRUE(last.optimised());
}

// Afterwards the host may unload the code of its functions, whatever the background thread does.
TEST(Tiers, TheLastHandleReleasesTheHostsFunctionsWhileWorkIsQueued) {
  static std::thread::id released_by;
  released_by = {};
  Gate gate;
  auto engine = Engine::create(tiered_options());
  ASSERT_TRUE(engine);
  const ir::Type number = ir::Type::scalar(ir::Elem::Float64);
  ASSERT_TRUE(engine->bind(
      "twice", ir::Type::function({number}, {number}),
      [](void*, vr_external_call*, const vr_value*, vr_value*) { return 0; }, nullptr,
      [](void*) { released_by = std::this_thread::get_id(); }));
  auto m = engine->load(tiers_program);
  ASSERT_TRUE(m);
  ASSERT_TRUE(m->function("pick"));
  EXPECT_FALSE(m->optimised());
  engine = make_error(Code::Usage, "");
  EXPECT_EQ(released_by, std::thread::id());
  m = make_error(Code::Usage, "");
  EXPECT_EQ(released_by, std::this_thread::get_id());
}

TEST(Tiers, WaitWithoutTiersReturnsAtOnce) {
  Options o = tiered_options();
  o.opt_level = 0;
  EXPECT_TRUE(load_tiered(o).optimised());
  o.opt_level = 2;
  o.tiered = false;
  EXPECT_TRUE(load_tiered(o).optimised());
  o.target = Target::Interp;
  o.tiered = true;
  Module m = load_tiered(o);
  m.wait();
  EXPECT_TRUE(m.optimised());
}

TEST(Tiers, OptimisedCodeComesFromDiskAtOnce) {
  char directory[] = "/tmp/vr-cache-XXXXXX";
  ASSERT_NE(mkdtemp(directory), nullptr);
  const char* before = std::getenv("VR_CACHE_DIR");
  const std::string kept = before ? before : "";
  setenv("VR_CACHE_DIR", directory, 1);
  Options o = tiered_options();
  o.disk_cache = true;
  load_tiered(o).wait();
  Gate gate;
  Module again = load_tiered(o);
  EXPECT_TRUE(again.optimised());
  EXPECT_TRUE(again.compile_info().from_cache);
  before ? setenv("VR_CACHE_DIR", kept.c_str(), 1) : unsetenv("VR_CACHE_DIR");
  std::filesystem::remove_all(directory);
}

#if !defined(__SANITIZE_THREAD__)  // TSan does not allow threads in a forked child
TEST(Tiers, ForkedChildCompilesOptimisedCode) {
  for (int k = 0; k < 10; ++k) {
    Module m = load_tiered(tiered_options());
    auto f = m.function("pick");
    ASSERT_TRUE(f);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);
      const bool quick = pick(*f, 0) == 5;
      m.wait();
      _exit(quick && m.optimised() && pick(*f, 0) == 5 ? 7 : 8);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  }
}
#endif

TEST(Tiers, ProcessExitsDuringTheCompilation) {
  for (int k = 0; k < 40; ++k) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);
      static std::vector<Module>* volatile loaded = new std::vector<Module>;  // never unloaded
      auto begin = [](int modules) {
        for (int n = 0; n < modules; ++n) loaded->push_back(load_tiered(tiered_options()));
      };
      if (k % 4) {
        std::thread(begin, 1).join();  // the main thread never compiles
        usleep(static_cast<useconds_t>(k) * 500);
      } else {
        begin(20);
      }
      std::exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  }
}

TEST(Lazy, FunctionsAreCompiledOnRequest) {
  Options o = tiered_options();
  o.tiered = false;
  o.lazy = true;
  Module m = load_tiered(o);
  EXPECT_EQ(m.compile_info().codegen_ms, 0);
  auto f = m.function("pick");
  ASSERT_TRUE(f);
  const double once = m.compile_info().codegen_ms;
  EXPECT_GT(once, 0);
  EXPECT_EQ(pick(*f, 1), 6);
  EXPECT_TRUE(m.function("pick"));
  EXPECT_EQ(m.compile_info().codegen_ms, once);
  auto other = m.function("other");
  ASSERT_TRUE(other);
  EXPECT_GT(m.compile_info().codegen_ms, once);
  auto sum = (*other)(Array::from({1, 2, 3}));
  ASSERT_TRUE(sum);
  EXPECT_EQ((*sum)[0].as_double(), 6);
  EXPECT_FALSE(m.function("none"));
  // the text of one function does not contain the others
  EXPECT_TRUE(m.dump(Module::Dump::LlvmIr));
}

TEST(Lazy, ConcurrentRequestsCompileOnce) {
  Options o = tiered_options();
  o.lazy = true;
  for (bool tiered : {false, true}) {
    o.tiered = tiered;
    Module m = load_tiered(o);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        auto f = m.function(t % 2 ? "pick" : "get");
        wrong += !f || pick(*f, 2) != 7;
      });
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
  }
}

}  // namespace
}  // namespace vr
