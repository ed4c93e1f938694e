// Parallel loops (thesis 5.7.3): each thread has an equal part of the iterations and takes blocks from it, each time
// half of the remaining iterations; when its own part is empty it takes blocks from the other threads' parts, which
// balances iterations of unequal cost. A thread's part is the same from one loop to the next, so that arrays used by
// several loops stay in its cache. oneTBB supplies the threads.
#include "runtime/cpu/parallel_for.hpp"

#include <pthread.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "runtime/cpu/collect.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/poll.hpp"
#include "support/trace.hpp"

namespace vr::runtime {

namespace {

thread_local bool in_task = false;

/// In a child of a process that used oneTBB, it would wait for threads that exist only in the parent.
std::atomic<bool> used{false}, threads_lost{false};
[[maybe_unused]] const int forget_threads_after_fork =
    pthread_atfork(nullptr, nullptr, [] { threads_lost = used.load(); });

/// The arena with this many threads. Never destroyed: creating one is expensive, and its threads may outlive static
/// destructors.
tbb::task_arena& arena_of(int threads) {
  static std::mutex& mutex = *new std::mutex;
  static auto& arenas = *new std::map<int, std::unique_ptr<tbb::task_arena>>;
  used = true;
  std::lock_guard lock(mutex);
  std::unique_ptr<tbb::task_arena>& arena = arenas[threads];
  if (!arena) {
    // The caller may request more threads than the machine has; oneTBB grants them only if its limit is raised first.
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

/// Blocks have a multiple of this many iterations if there are enough, so that unrolled loops have no remainder and
/// threads do not share cache lines.
constexpr uint64_t grain = 8;

/// One thread's part of the iterations, counted from the loop's first.
struct alignas(64) Part {
  std::atomic<uint64_t> next{0};
  uint64_t end = 0, least = 1;  ///< least iterations of a block

  /// The next block; false if none is left.
  bool take(uint64_t& first, uint64_t& size) {
    first = next.load(std::memory_order_relaxed);
    do {
      if (first >= end) return false;
      const uint64_t left = end - first;
      size = std::max(left / 2, least);
      if (size >= grain) size -= size % grain;
      size = std::min(size, left);
    } while (!next.compare_exchange_weak(first, first + size, std::memory_order_relaxed));
    return true;
  }
};

struct LoopState {
  vr_context* ctx;
  const vr_site* site;
  vr_task task;
  void* env;
  int64_t lo;
  std::thread::id caller;
  const std::span<Part> parts;
  std::atomic<int32_t> status{VR_OK};
  /// Orders the caller's writes before the tasks and theirs before the caller's return. oneTBB does so already, but in
  /// a library that race detectors do not see.
  std::atomic<int> handed_over{0};
  /// Number of working threads, if the host may interrupt: the calling thread polls while it waits for the others.
  std::atomic<int> busy{0};
  std::mutex mutex;
  std::condition_variable idle;

  /// Divides `count` iterations (the difference of two int64 bounds) among the parts.
  LoopState(vr_context* ctx, const vr_site* site, vr_task task, void* env, int64_t lo, uint64_t count,
            std::span<Part> parts)
      : ctx(ctx), site(site), task(task), env(env), lo(lo), caller(std::this_thread::get_id()), parts(parts) {
    const uint64_t workers = parts.size();
    for (uint64_t k = 0; k < workers; ++k) {
      const uint64_t first = count / workers * k + std::min(count % workers, k);
      parts[k].next.store(first, std::memory_order_relaxed);
      parts[k].end = count / workers * (k + 1) + std::min(count % workers, k + 1);
      parts[k].least = std::max<uint64_t>((parts[k].end - first) / 16, 1);
    }
    handed_over.store(1, std::memory_order_release);
  }

  /// Runs blocks until none is left or one has failed, those of part `own` first.
  void work(size_t own) {
    handed_over.load(std::memory_order_acquire);
    const bool helps = std::this_thread::get_id() != caller;
    ++busy;
    in_task = true;
    {
      trace::Span span("loop", "tasks");
      OwnStackScope stack(helps);
      HelperScope helper(helps);
      CollectorScope collector(ctx->collected);
      uint64_t done = 0, size = 0;
      for (size_t k = 0; k < parts.size(); ++k)
        while (goes_on() && parts[(own + k) % parts.size()].take(done, size)) {
          const uint64_t first = static_cast<uint64_t>(lo) + done;
          end_with(task(ctx, env, static_cast<int64_t>(first), static_cast<int64_t>(first + size)));
        }
    }
    in_task = false;
    if (--busy == 0 && helps) {
      const std::lock_guard lock(mutex);
      idle.notify_all();
    }
    if (!helps && site && ctx->interrupt != &vr_never_interrupted) wait();
    // the last thread: the caller's stack frame may end after this
    handed_over.fetch_add(1, std::memory_order_release);
  }

 private:
  void end_with(int32_t result) {
    int32_t none = VR_OK;
    if (result != VR_OK) status.compare_exchange_strong(none, result);
  }
  bool goes_on() {
    if (site && status.load(std::memory_order_relaxed) == VR_OK && asked_to_stop(*ctx)) end_with(vr_rt_poll(ctx, site));
    return status.load(std::memory_order_relaxed) == VR_OK;
  }
  /// Waits until all other threads are done. They learn of it if the host ends the call.
  void wait() {
    for (int k = 0; k < 50; ++k) {  // usually they finish soon
      if (busy == 0) return;
      std::this_thread::yield();
    }
    std::unique_lock lock(mutex);
    while (busy != 0) {
      idle.wait_for(lock, std::chrono::milliseconds(10));
      lock.unlock();
      goes_on();
      lock.lock();
    }
  }
};

}  // namespace

bool running_block() { return in_task; }

namespace {

/// The function object that oneTBB passes to its threads. Not instrumented, because oneTBB is not and ThreadSanitizer
/// would not see how the reference was passed; work() itself is instrumented.
struct TakePart {
  LoopState& loop;
  __attribute__((no_sanitize("thread"))) void operator()(size_t k) const { loop.work(k); }
};

/// Threads for this loop alone: more expensive than oneTBB's, but available.
void run_on_own_threads(LoopState& loop) {
  std::vector<std::thread> threads;
  try {
    while (threads.size() + 1 < loop.parts.size())
      threads.emplace_back([&loop, k = threads.size() + 1] { loop.work(k); });
  } catch (...) {}  // fewer will do
  loop.work(0);
  for (std::thread& t : threads) t.join();
}

}  // namespace

int32_t run_blocks(vr_context* ctx, const vr_site* site, vr_task task, void* env, int64_t lo, int64_t hi) {
  if (lo >= hi) return VR_OK;
  uint64_t n = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
  if (ctx->threads <= 1 || n == 1 || in_task) return task(ctx, env, lo, hi);
  vr::trace::Span span("loop", "pfor");
  span.note("iterations", static_cast<int64_t>(n));
  std::vector<Part> parts;
  try {
    parts = std::vector<Part>(std::min<uint64_t>(n, static_cast<uint64_t>(ctx->threads)));
  } catch (...) {
    return task(ctx, env, lo, hi);
  }  // no memory for more threads
  LoopState loop(ctx, site, task, env, lo, n, parts);
  if (threads_lost) {
    run_on_own_threads(loop);
    return loop.status.load();
  }
  try {
    arena_of(ctx->threads).execute([&] {
      tbb::parallel_for(size_t{0}, parts.size(), TakePart{loop}, tbb::simple_partitioner());
    });
  } catch (...) {
    // oneTBB had no memory or no threads: the remaining blocks run here. Tasks themselves never throw.
    loop.work(0);
  }
  loop.handed_over.load(std::memory_order_acquire);
  return loop.status.load();
}

}  // namespace vr::runtime

#if defined(__SANITIZE_THREAD__)
// These libraries are not instrumented, so ThreadSanitizer would report their internal synchronisation as races.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:libtbb.so\nrace:tbb::detail\nrace:libopenblas\nrace:liblapack\n";
}
#endif
