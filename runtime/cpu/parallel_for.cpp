// Parallel loops (thesis 5.7.3): the iterations are cut into two equal blocks for each thread, and each thread takes
// the next block when it is done with one, so that blocks of unequal cost balance. oneTBB supplies the threads.
#include "runtime/cpu/parallel_for.hpp"

#include <pthread.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/cpu/collect.hpp"
#include "runtime/cpu/fail.hpp"
#include "support/trace.hpp"

namespace vr::runtime {

namespace {

thread_local bool in_task = false;

/// In a child of a process that used oneTBB: it goes on waiting for threads that are only in the parent.
std::atomic<bool> used{false}, threads_lost{false};
[[maybe_unused]] const int at_start = pthread_atfork(nullptr, nullptr, [] { threads_lost = used.load(); });

/// The arena that has this many threads. Kept for the life of the process: making one is expensive, and its threads may
/// outlive static destructors.
tbb::task_arena& arena_of(int threads) {
  static std::mutex& mutex = *new std::mutex;
  static auto& arenas = *new std::map<int, std::unique_ptr<tbb::task_arena>>;
  used = true;
  std::lock_guard lock(mutex);
  std::unique_ptr<tbb::task_arena>& arena = arenas[threads];
  if (!arena) {
    // More threads than the machine has are the caller's wish; oneTBB grants them only when its limit is raised first.
    using tbb::global_control;
    static global_control* limit = nullptr;
    if (global_control::active_value(global_control::max_allowed_parallelism) < static_cast<size_t>(threads)) {
      delete limit;
      limit = new global_control(global_control::max_allowed_parallelism, static_cast<size_t>(threads));
    }
    arena = std::make_unique<tbb::task_arena>(threads);
  }
  return *arena;
}

struct LoopState {
  vr_context* ctx;
  vr_task task;
  void* env;
  int64_t lo, hi;
  int64_t blocks;
  std::thread::id caller;
  std::atomic<int64_t> next{0};
  std::atomic<int32_t> status{VR_OK};
  /// Orders the caller's writes before the tasks and theirs before the caller's return. oneTBB does so already, but in
  /// a library that race detectors do not see.
  std::atomic<int> handed_over{0};

  /// First iteration of block b; the difference may exceed int64, so unsigned arithmetic.
  int64_t start(int64_t b) const {
    uint64_t n = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    auto count = static_cast<uint64_t>(blocks), k = static_cast<uint64_t>(b);
    return static_cast<int64_t>(static_cast<uint64_t>(lo) + n / count * k + std::min(n % count, k));
  }

  /// Runs blocks until none is left or one has failed.
  void work() {
    handed_over.load(std::memory_order_acquire);
    in_task = true;
    {
      trace::Span span("loop", "tasks");
      OwnStackScope stack(std::this_thread::get_id() != caller);
      CollectorScope collector(ctx->collected);
      while (status.load(std::memory_order_relaxed) == VR_OK) {
        int64_t b = next.fetch_add(1, std::memory_order_relaxed);
        if (b >= blocks) break;
        int32_t result = task(ctx, env, start(b), start(b + 1));
        int32_t none = VR_OK;
        if (result != VR_OK) status.compare_exchange_strong(none, result);
      }
    }
    in_task = false;
    handed_over.fetch_add(1, std::memory_order_release);
  }
};

}  // namespace

bool inside_task() { return in_task; }

namespace {

/// Threads for this loop alone: dearer than oneTBB's, but they exist.
void run_on_own_threads(LoopState& loop, int64_t workers) {
  std::vector<std::thread> threads;
  try {
    while (static_cast<int64_t>(threads.size()) + 1 < workers) threads.emplace_back([&loop] { loop.work(); });
  } catch (...) {}  // fewer will do
  loop.work();
  for (std::thread& t : threads) t.join();
}

}  // namespace

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" int32_t vr_rt_parallel_for(vr_context* ctx, vr_task task, void* env, int64_t lo, int64_t hi) {
  if (lo >= hi) return VR_OK;
  uint64_t n = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
  if (ctx->threads <= 1 || n == 1 || in_task) return task(ctx, env, lo, hi);
  vr::trace::Span span("loop", "pfor");
  span.note("iterations", static_cast<int64_t>(n));
  LoopState loop{ctx, task, env, lo, hi, 0, std::this_thread::get_id()};
  loop.blocks = static_cast<int64_t>(std::min<uint64_t>(n, 2 * static_cast<uint64_t>(ctx->threads)));
  loop.handed_over.store(1, std::memory_order_release);
  if (threads_lost) {
    run_on_own_threads(loop, std::min<int64_t>(loop.blocks, ctx->threads));
    return loop.status.load();
  }
  try {
    arena_of(ctx->threads).execute([&] {
      int workers = static_cast<int>(std::min<int64_t>(loop.blocks, ctx->threads));
      tbb::parallel_for(0, workers, [&](int) { loop.work(); }, tbb::simple_partitioner());
    });
  } catch (...) {
    // oneTBB had no memory or threads for us: what is left runs here. Tasks themselves never throw.
    loop.work();
  }
  loop.handed_over.load(std::memory_order_acquire);
  return loop.status.load();
}

#if defined(__SANITIZE_THREAD__)
// What these libraries do inside is theirs; without instrumentation their own synchronisation looks like races.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:libtbb.so\nrace:tbb::detail\nrace:libopenblas\nrace:liblapack\n";
}
#endif
