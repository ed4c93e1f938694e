#include "support/stack.hpp"

#include "support/fork_gate.hpp"

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <new>

namespace vr {

namespace {

constexpr size_t margin = size_t{256} << 10;
constexpr size_t foreign_budget = size_t{32} << 10;

struct Bounds {
  char* low = nullptr;
  char* high = nullptr;
  bool holds(const char* p) const { return low <= p && p < high; }
  // Small stacks also contain the thread's thread-local storage, which takes 60 KiB in a process with LLVM.
  char* limit() const { return low + std::min(margin, static_cast<size_t>(high - low) / 4); }
};

Bounds own_bounds() {
  pthread_attr_t attr;
  if (pthread_getattr_np(pthread_self(), &attr) != 0) return {};
  void* low = nullptr;
  size_t size = 0;
  const bool known = pthread_attr_getstack(&attr, &low, &size) == 0;
  pthread_attr_destroy(&attr);
  return known ? Bounds{static_cast<char*>(low), static_cast<char*>(low) + size} : Bounds{};
}

// The main thread's bounds are those at the first query: later changes of the stack limit have no effect here.
thread_local Bounds own, told;

/// The bounds of the stack that contains `here`; empty if they are not known.
Bounds bounds_of(const char* here) {
  if (told.holds(here)) return told;
  if (!own.low) own = own_bounds();
  return own.holds(here) ? own : Bounds{};
}

struct Task {
  const std::function<void()>& work;
  int fork_depth;
  std::exception_ptr error;
};

void* run_task(void* p) {
  auto* task = static_cast<Task*>(p);
  WaitedForNoFork adopted(task->fork_depth);
  try {
    task->work();
  } catch (...) {
    task->error = std::current_exception();
  }
  return nullptr;
}

}  // namespace

char* stack_limit() {
  char* here = static_cast<char*>(__builtin_frame_address(0));
  const Bounds b = bounds_of(here);
  return b.low ? b.limit() : here - foreign_budget;
}

void tell_stack_bounds(void* low, size_t size) {
  told = low ? Bounds{static_cast<char*>(low), static_cast<char*>(low) + size} : Bounds{};
}

size_t stack_left() {
  char* here = static_cast<char*>(__builtin_frame_address(0));
  const Bounds b = bounds_of(here);
  return b.low ? static_cast<size_t>(here - b.low) : 2 * foreign_budget;
}

void with_stack(size_t bytes, const std::function<void()>& work) {
  if (stack_left() >= bytes) return work();
  pthread_attr_t attr;
  if (pthread_attr_init(&attr) != 0) throw std::bad_alloc();
  // Thread-local storage and the caller's own frames are part of the stack as well.
  pthread_attr_setstacksize(&attr, bytes + margin);
  Task task{work, NoForkNow::depth(), nullptr};
  pthread_t thread;
  const bool started = pthread_create(&thread, &attr, run_task, &task) == 0;
  pthread_attr_destroy(&attr);
  if (!started) throw std::bad_alloc();
  pthread_join(thread, nullptr);
  if (task.error) std::rethrow_exception(task.error);
}

}  // namespace vr
