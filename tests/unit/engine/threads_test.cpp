// Many host threads at the same time: engines, loads, calls, parallel loops, unloading, fork().
#include <velociraptor/velociraptor.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

namespace vr {
namespace {

/// scale(a): every element times `factor`, in a parallel loop; returns a.
std::string threads_program(int factor) {
  return fmt::format(R"((module :name m{0} :indexing 0 (fns (function :name scale
 (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)))
  (outtypes (arraytype :layout rowmajor :ndims 1 (float64)))) (arglist 0)
 (body
  (pforstmt (itervars 1) (loopdomain (range :exclude %1 (start (realconst :ival 0 (int64)))
    (stop (dim :arrayid 0 :dimid 0 (int64)))))
   (body (assignstmt (lhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))))))
    (rhs (mult (float64) (lhs (realconst :dval {0} (float64)))
     (rhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64)))))))))))
  (returnstmt (exprs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))))))
 (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64)))))))",
                     factor);
}

Engine threads_engine(Target target, int threads = 2, int opt_level = 0) {
  Options o;
  o.target = target;
  o.threads = threads;
  o.opt_level = opt_level;
  o.disk_cache = false;
  auto engine = Engine::create(o);
  EXPECT_TRUE(engine) << engine.error().text();
  return *engine;
}

/// Whether the function multiplies by `factor`.
bool scales(const Function& f, int factor) {
  const int64_t n[] = {1000};
  Array a = *Array::zeros(Elem::Float64, n);
  for (int k = 0; k < 1000; ++k) a.data_as<double>()[k] = k;
  auto r = f(a);
  if (!r) return false;
  for (int k = 0; k < 1000; ++k)
    if ((*r)[0].array().data_as<double>()[k] != double(k) * factor) return false;
  return true;
}
bool loads_and_scales(const Engine& e, int factor) {
  auto m = e.load(threads_program(factor), "threads.vrir");
  if (!m) return false;
  auto f = m->function("scale");
  return f && scales(*f, factor);
}

void on_threads(int n, const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < n; ++t) threads.emplace_back([&work, t] { work(t); });
  for (std::thread& t : threads) t.join();
}

TEST(Threads, LoadCallAndUnloadAtOnce) {
  // Two engines that all threads use, and one per thread; texts that all threads load, and some per thread.
  const Engine serial = threads_engine(Target::Cpu), parallel = threads_engine(Target::CpuParallel, 4);
  std::atomic<int> wrong{0};
  on_threads(8, [&](int t) {
    const Engine own = threads_engine(t % 2 ? Target::Cpu : Target::CpuParallel, 2, t % 3);
    for (int k = 0; k < 12; ++k) {
      const Engine& e = k % 3 == 0 ? serial : k % 3 == 1 ? parallel : own;
      wrong += !loads_and_scales(e, k % 2 ? 3 : 100 * t + k);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, ParallelLoopsFromManyThreads) {
  // More threads than the machine has processors, entering loops that request several threads each.
  const Engine engine = threads_engine(Target::CpuParallel, 4);
  auto module = engine.load(threads_program(2), "threads.vrir");
  ASSERT_TRUE(module) << module.error().text();
  const Function f = *module->function("scale");
  std::atomic<int> wrong{0};
  on_threads(16, [&](int) {
    for (int k = 0; k < 40; ++k) wrong += !scales(f, 2);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, CodeIsNotFreedDuringCalls) {
  for (Target target : {Target::Cpu, Target::CpuParallel}) {
    std::atomic<int> started{0}, wrong{0};
    std::atomic<bool> stop{false};
    std::optional<Engine> engine = threads_engine(target);
    std::optional<Module> module = *engine->load(threads_program(2), "threads.vrir");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, f = *module->function("scale")] {
        do {
          wrong += !scales(f, 2);
          ++started;
        } while (!stop);
      });
    while (started < 4) std::this_thread::yield();
    module.reset();
    engine.reset();
    // The memory of unloaded code is reused at once.
    for (int k = 0; k < 10; ++k) wrong += !loads_and_scales(threads_engine(target), 5 + k);
    stop = true;
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Threads, ForkedChildWorksOrGetsForked) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "sanitizers themselves do not survive fork() with threads";
#endif
  const Engine serial = threads_engine(Target::Cpu), parallel = threads_engine(Target::CpuParallel, 4);
  auto serial_module = serial.load(threads_program(2), "threads.vrir"),
       parallel_module = parallel.load(threads_program(2), "threads.vrir");
  ASSERT_TRUE(serial_module);
  ASSERT_TRUE(parallel_module);
  const Function f = *serial_module->function("scale"), g = *parallel_module->function("scale");
  ASSERT_TRUE(scales(f, 2));
  ASSERT_TRUE(scales(g, 2));
  // Other threads compile, call and unload all the time, so the child starts in the middle of these.
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; !stop; ++k) wrong += !loads_and_scales(k % 2 ? serial : parallel, 10 + t);
    });
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(30);
      if (!scales(f, 2)) _exit(1);
      const int64_t n[] = {4};
      auto told = g(*Array::zeros(Elem::Float64, n));
      if (told || told.error().code != Code::Forked) _exit(2);
      if (!loads_and_scales(serial, 7)) _exit(3);
      if (!loads_and_scales(threads_engine(Target::Cpu), 8)) _exit(4);
      if (!loads_and_scales(threads_engine(Target::CpuParallel, 4), 9)) _exit(5);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
        << "round " << round << ": "
        << (WIFEXITED(status) ? "step " + std::to_string(WEXITSTATUS(status))
                              : "signal " + std::to_string(WTERMSIG(status)));
    if (testing::Test::HasFailure()) break;
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace vr
