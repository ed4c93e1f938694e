#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "arrays.hpp"
#include "runtime/cpu/parallel_for.hpp"

namespace vr::runtime {
namespace {

struct Coverage {
  explicit Coverage(int64_t n) : hits(static_cast<size_t>(n)) {}
  std::vector<std::atomic<int>> hits;
  std::atomic<int> blocks{0};
  int64_t first = 0;
};
int32_t cover(vr_context*, void* env, int64_t lo, int64_t hi) {
  auto& c = *static_cast<Coverage*>(env);
  ++c.blocks;
  for (int64_t i = lo; i < hi; ++i) ++c.hits[static_cast<size_t>(i - c.first)];
  return VR_OK;
}

TEST(ParallelFor, EachIterationRunsOnce) {
  for (int threads : {1, 2, 3, 8}) {
    for (int64_t n : {1, 2, 3, 5, 7, 16, 17, 1000}) {
      for (int64_t first : {int64_t{0}, int64_t{-500}, INT64_MIN, INT64_MAX - 1000}) {
        vr_context ctx;
        ctx.threads = threads;
        Coverage c(n);
        c.first = first;
        ASSERT_EQ(vr_rt_parallel_for(&ctx, nullptr, cover, &c, first, first + n), VR_OK);
        for (auto& h : c.hits) ASSERT_EQ(h.load(), 1);
        // At least two blocks per thread if there are enough iterations, but not so many that calling the task takes
        // time.
        EXPECT_GE(c.blocks.load(), threads == 1 ? 1 : std::min<int64_t>(n, 2 * threads));
        EXPECT_LE(c.blocks.load(), threads == 1 ? 1 : 8 * threads);
      }
    }
  }
}

TEST(ParallelFor, EmptyRangeCallsNothing) {
  vr_context ctx;
  ctx.threads = 4;
  Coverage c(1);
  EXPECT_EQ(vr_rt_parallel_for(&ctx, nullptr, cover, &c, 5, 5), VR_OK);
  EXPECT_EQ(vr_rt_parallel_for(&ctx, nullptr, cover, &c, 5, -5), VR_OK);
  EXPECT_EQ(vr_rt_parallel_for(&ctx, nullptr, cover, &c, INT64_MAX, INT64_MIN), VR_OK);
  EXPECT_EQ(c.blocks.load(), 0);
}

TEST(ParallelFor, BlocksOfTheWholeRangeOfInt64) {
  struct Ends {
    std::atomic<uint64_t> total{0};
  } env;
  vr_context ctx;
  ctx.threads = 3;
  auto add = [](vr_context*, void* e, int64_t lo, int64_t hi) -> int32_t {
    EXPECT_LT(lo, hi);
    static_cast<Ends*>(e)->total += static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    return VR_OK;
  };
  ASSERT_EQ(vr_rt_parallel_for(&ctx, nullptr, add, &env, INT64_MIN, INT64_MAX), VR_OK);
  EXPECT_EQ(env.total.load(), UINT64_MAX);
}

TEST(ParallelFor, FirstFaultWinsAndStopsTheRest) {
  struct Env {
    std::atomic<int> blocks{0};
  } env;
  vr_context ctx;
  ctx.threads = 2;
  auto faulty = [](vr_context* c, void* e, int64_t lo, int64_t) -> int32_t {
    ++static_cast<Env*>(e)->blocks;
    return vr_rt_fail(c, &test::site, VR_OUT_OF_BOUNDS, lo, 10);
  };
  EXPECT_EQ(vr_rt_parallel_for(&ctx, nullptr, faulty, &env, 0, 1000), VR_OUT_OF_BOUNDS);
  EXPECT_LE(env.blocks.load(), 2);  // each thread fails its first block and takes no other
  EXPECT_EQ(ctx.error.code, VR_OUT_OF_BOUNDS);
  EXPECT_EQ(ctx.error.index % 250, 0);
  EXPECT_EQ(ctx.failed.load(), VR_OUT_OF_BOUNDS);
}

// Two blocks fail in different ways at the same time: the loop returns the status of the block that failed first.
// Whether the other one ends later depends on timing, so the test is repeated ten times.
TEST(ParallelFor, FirstErrorStatusIsReported) {
  struct Env {
    std::atomic<bool> second_runs{false}, first_ends{false};
  };
  auto two = [](vr_context*, void* e, int64_t lo, int64_t) -> int32_t {
    auto& env = *static_cast<Env*>(e);
    if (lo == 0) {
      while (!env.second_runs) std::this_thread::yield();
      env.first_ends = true;
      return VR_OUT_OF_BOUNDS;
    }
    env.second_runs = true;
    while (!env.first_ends) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return VR_TYPE;
  };
  bool first = false;
  for (int k = 0; k < 10 && !first; ++k) {
    Env env;
    vr_context ctx;
    ctx.threads = 2;
    first = vr_rt_parallel_for(&ctx, nullptr, two, &env, 0, 2) == VR_OUT_OF_BOUNDS;
  }
  EXPECT_TRUE(first);
}

// A thread that has finished its part takes blocks of others: the thread with the loop's first block waits until all
// other iterations are done, which the other thread does, unless it was not started in time. So this is repeated twenty
// times.
TEST(ParallelFor, IdleThreadsStealBlocks) {
  struct Env {
    std::atomic<int64_t> done{0};
    bool shared = false;
  };
  auto slow_first = [](vr_context*, void* e, int64_t lo, int64_t hi) -> int32_t {
    auto& env = *static_cast<Env*>(e);
    if (lo != 0) {
      env.done += hi - lo;
      return VR_OK;
    }
    for (int k = 0; k < 100 && !env.shared; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      env.shared = env.done == 1000 - hi;
    }
    return VR_OK;
  };
  bool shared = false;
  for (int k = 0; k < 20 && !shared; ++k) {
    Env env;
    vr_context ctx;
    ctx.threads = 2;
    ASSERT_EQ(vr_rt_parallel_for(&ctx, nullptr, slow_first, &env, 0, 1000), VR_OK);
    shared = env.shared;
  }
  EXPECT_TRUE(shared);
}

int32_t nested(vr_context* ctx, void* env, int64_t lo, int64_t hi) {
  EXPECT_TRUE(inside_task());
  for (int64_t i = lo; i < hi; ++i) {
    struct Inner {
      std::thread::id id = std::this_thread::get_id();
      int calls = 0;
    } inner;
    int32_t status = vr_rt_parallel_for(
        ctx, nullptr,
        [](vr_context*, void* e, int64_t, int64_t) -> int32_t {
          auto& in = *static_cast<Inner*>(e);
          EXPECT_EQ(in.id, std::this_thread::get_id());
          ++in.calls;
          return VR_OK;
        },
        &inner, 0, 100);
    EXPECT_EQ(status, VR_OK);
    EXPECT_EQ(inner.calls, 1);
  }
  return cover(ctx, env, lo, hi);
}

TEST(ParallelFor, LoopsInsideTasksAreSerial) {
  vr_context ctx;
  ctx.threads = 4;
  Coverage c(50);
  ASSERT_EQ(vr_rt_parallel_for(&ctx, nullptr, nested, &c, 0, 50), VR_OK);
  for (auto& h : c.hits) EXPECT_EQ(h.load(), 1);
  EXPECT_FALSE(inside_task());
}

TEST(ParallelFor, ManyHostThreadsAtOnce) {
  std::vector<std::thread> hosts;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    hosts.emplace_back([&wrong, t] {
      for (int round = 0; round < 50; ++round) {
        vr_context ctx;
        ctx.threads = 2 + t % 3;
        Coverage c(300);
        if (vr_rt_parallel_for(&ctx, nullptr, cover, &c, 0, 300) != VR_OK) ++wrong;
        for (auto& h : c.hits) wrong += h.load() != 1;
        // A fault in one caller's loop does not reach the others.
        auto fail_always = [](vr_context* x, void*, int64_t, int64_t) -> int32_t {
          return vr_rt_fail(x, &test::site, VR_DIV_BY_ZERO, 0, 0);
        };
        vr_context bad;
        bad.threads = 2;
        wrong += vr_rt_parallel_for(&bad, nullptr, fail_always, nullptr, 0, 10) != VR_DIV_BY_ZERO;
      }
    });
  }
  for (std::thread& t : hosts) t.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ParallelFor, TasksMayAllocate) {
  vr_context ctx;
  ctx.threads = 4;
  auto task = [](vr_context* c, void*, int64_t lo, int64_t hi) -> int32_t {
    for (int64_t i = lo; i < hi; ++i) {
      vr_array a = {};
      const int64_t extents[] = {i % 100 + 1, 7};
      if (int32_t s = vr_rt_alloc(c, &test::site, &a, VR_FLOAT64, 2, extents, VR_ROWMAJOR, VR_FILL_ZERO, VR_IN_ENGINE))
        return s;
      static_cast<double*>(a.data)[0] = 1;
      vr_rt_release(a.owner);
    }
    return VR_OK;
  };
  EXPECT_EQ(vr_rt_parallel_for(&ctx, nullptr, task, nullptr, 0, 5000), VR_OK);
}

// ---------------------------------------------------------------- faults and the stack

TEST(Fail, FirstRecordStays) {
  vr_context ctx;
  EXPECT_EQ(vr_rt_fail(&ctx, &test::site, VR_OUT_OF_BOUNDS, 7, 5), VR_OUT_OF_BOUNDS);
  EXPECT_EQ(vr_rt_fail(&ctx, &test::site, VR_DIV_BY_ZERO, 0, 0), VR_DIV_BY_ZERO);
  EXPECT_EQ(ctx.error.code, VR_OUT_OF_BOUNDS);
  EXPECT_EQ(ctx.error.axis, 0);
  EXPECT_EQ(ctx.error.index, 7);
  EXPECT_EQ(ctx.error.extent, 5);
  EXPECT_STREQ(ctx.error.message, "index 7 is out of bounds for axis 0 of 'x', which has extent 5");
}

TEST(Fail, MessagesOfAllCodes) {
  const vr_site plain = {"g", "", "", "", -1, 0};
  for (int32_t code = VR_OUT_OF_BOUNDS; code <= VR_INTERRUPTED; ++code) {
    vr_context ctx;
    vr_rt_fail(&ctx, &plain, code, 1, 2);
    EXPECT_GT(std::string(ctx.error.message).size(), 5u) << code;
    EXPECT_EQ(std::string(ctx.error.message).find("fault"), std::string::npos) << code;
  }
  vr_context ctx;
  const std::string text(1000, 'm');
  const vr_site own = {text.c_str(), text.c_str(), text.c_str(), text.c_str(), 2, 0};
  vr_rt_fail(&ctx, &own, VR_SHAPE_MISMATCH, 1, 2);
  EXPECT_EQ(std::string(ctx.error.message), text.substr(0, sizeof ctx.error.message - 1));
  EXPECT_EQ(std::string(ctx.error.function).size(), sizeof ctx.error.function - 1);
  vr_context none;
  EXPECT_EQ(vr_rt_fail(&none, nullptr, VR_HOST, 0, 0), VR_HOST);
}

TEST(Fail, OneThreadsRecordIsReportedComplete) {
  vr_context ctx;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&ctx, t] { vr_rt_fail(&ctx, &test::site, VR_OUT_OF_BOUNDS, t, t + 100); });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(ctx.error.extent, ctx.error.index + 100);
}

/// An address on this thread's stack or beyond it; a number, since it is not in an object.
char* away_from_here(intptr_t bytes) {
  char here;
  return reinterpret_cast<char*>(reinterpret_cast<intptr_t>(&here) + bytes);
}

TEST(Enter, ChecksTheStack) {
  vr_context ctx;
  EXPECT_EQ(vr_rt_enter(&ctx, &test::site), VR_OK);
  ctx.stack_limit = away_from_here(-(1 << 20));
  EXPECT_EQ(vr_rt_enter(&ctx, &test::site), VR_OK);
  ctx.stack_limit = away_from_here(1 << 12);
  EXPECT_EQ(vr_rt_enter(&ctx, &test::site), VR_STACK);
  EXPECT_EQ(ctx.error.code, VR_STACK);
}

TEST(Enter, WorkerThreadsUseTheirOwnStack) {
  // The caller's limit does not apply to a worker's stack, wherever that is. Every thread must get here.
  vr_context ctx;
  ctx.threads = 8;
  ctx.stack_limit = away_from_here(-(1 << 18));
  auto task = [](vr_context* c, void*, int64_t, int64_t) -> int32_t { return vr_rt_enter(c, &test::site); };
  for (int round = 0; round < 100; ++round) ASSERT_EQ(vr_rt_parallel_for(&ctx, nullptr, task, nullptr, 0, 64), VR_OK);
}

}  // namespace
}  // namespace vr::runtime
