// Stack limits, and running work on larger stacks.
#include "support/stack.hpp"

#include "support/fork_gate.hpp"

#include <gtest/gtest.h>

#include <pthread.h>
#include <ucontext.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>

namespace vr {
namespace {

void on_thread(size_t stack, const std::function<void()>& work) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  ASSERT_EQ(pthread_attr_setstacksize(&attr, stack), 0);
  pthread_t thread;
  auto run = [](void* p) -> void* {
    (*static_cast<const std::function<void()>*>(p))();
    return nullptr;
  };
  const int started = pthread_create(&thread, &attr, run, const_cast<std::function<void()>*>(&work));
  if (started == EINVAL) return;  // libraries want more than that of each thread
  ASSERT_EQ(started, 0);
  pthread_attr_destroy(&attr);
  pthread_join(thread, nullptr);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers must be told of other stacks
const std::function<void()>* on_coroutine_work = nullptr;

void on_coroutine(size_t stack, const std::function<void()>& work) {
  auto memory = std::make_unique<char[]>(stack);
  ucontext_t here, there;
  getcontext(&there);
  there.uc_stack.ss_sp = memory.get();
  there.uc_stack.ss_size = stack;
  there.uc_link = &here;
  on_coroutine_work = &work;
  makecontext(&there, [] { (*on_coroutine_work)(); }, 0);
  swapcontext(&here, &there);
}

TEST(Stack, OfACoroutineIsUsedCautiously) {
  char* thread_limit = stack_limit();
  on_coroutine(256 << 10, [&] {
    char* here = static_cast<char*>(__builtin_frame_address(0));
    EXPECT_NE(stack_limit(), thread_limit);
    EXPECT_LT(stack_limit(), here);
    EXPECT_GT(stack_limit(), here - (64 << 10));
    EXPECT_LE(stack_left(), size_t{64} << 10);
    bool ran = false;
    with_stack(size_t{1} << 20, [&] {
      ran = true;
      EXPECT_GE(stack_left(), size_t{1} << 20);
    });
    EXPECT_TRUE(ran);
  });
  EXPECT_EQ(stack_limit(), thread_limit);
}

TEST(Stack, OfACoroutineThatWasToldOfIsUsedToItsEnd) {
  constexpr size_t size = size_t{1} << 20;
  auto memory = std::make_unique<char[]>(size);
  char* thread_limit = stack_limit();
  tell_stack_bounds(memory.get(), size);
  EXPECT_EQ(stack_limit(), thread_limit);  // not running on it yet
  ucontext_t here, there;
  getcontext(&there);
  there.uc_stack.ss_sp = memory.get();
  there.uc_stack.ss_size = size;
  there.uc_link = &here;
  const std::function<void()> work = [&] {
    EXPECT_EQ(stack_limit(), memory.get() + (256 << 10));
    EXPECT_GT(stack_left(), size - (64 << 10));
  };
  on_coroutine_work = &work;
  makecontext(&there, [] { (*on_coroutine_work)(); }, 0);
  swapcontext(&here, &there);
  tell_stack_bounds(nullptr, 0);
}
#endif

// A sanitizer needs more of the stack; ThreadSanitizer also keeps half a mebibyte of data of its own there.
#if defined(__SANITIZE_THREAD__)
constexpr size_t sanitizers_own = size_t{1} << 20, least_kib = 8192;
#elif defined(__SANITIZE_ADDRESS__)
constexpr size_t sanitizers_own = 0, least_kib = 128;
#else
constexpr size_t sanitizers_own = 0, least_kib = 64;
#endif

TEST(Stack, OfASmallThreadLeavesAQuarter) {
  for (size_t kib : {64, 128, 256, 512, 1024, 8192}) {
    if (kib < least_kib) continue;
    on_thread(kib << 10, [&] {
      char* here = static_cast<char*>(__builtin_frame_address(0));
      const size_t left = stack_left();
      // It may be larger: the C library reuses larger stacks.
      EXPECT_GT(left, (kib << 10) / 4) << kib;
      EXPECT_LT(stack_limit(), here) << kib;
      EXPECT_GE(stack_limit(), here - left + std::min(size_t{256} << 10, (kib << 10) / 4) - 4096) << kib;
    });
  }
}

TEST(Stack, WorkThatNeedsMoreGetsIt) {
  pthread_t caller = pthread_self();
  with_stack(1000, [&] { EXPECT_TRUE(pthread_equal(caller, pthread_self())); });
  on_thread(256 << 10, [&] {
    NoForkNow no_fork;
    with_stack(size_t{4} << 20, [&] {
      EXPECT_GE(stack_left(), (size_t{4} << 20) - sanitizers_own);
      EXPECT_EQ(NoForkNow::depth(), 1);
      NoForkNow nested;  // must not wait for the caller
    });
    EXPECT_THROW(with_stack(size_t{4} << 20, [] { throw std::runtime_error("through"); }), std::runtime_error);
    EXPECT_THROW(with_stack(size_t{1} << 60, [] {}), std::bad_alloc);
  });
}

}  // namespace
}  // namespace vr
