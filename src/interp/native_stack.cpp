#include "interp/native_stack.hpp"

#include "interp/fault.hpp"
#include "support/stack.hpp"

#include <pthread.h>

#include <cstdint>
#include <exception>

namespace vr::interp {

namespace {

// Stack bytes that one step of the recursion (evaluate, call, library function) may use before the next check; includes the
// large frames of sanitizers.
constexpr size_t reserve = 512 * 1024;
constexpr size_t segment = 64 * 1024 * 1024;
constexpr int max_segments = 64;

/// A small stack is not used at all: the first step continues on a new segment.
char* limit_of_this_stack() {
  char* here = static_cast<char*>(__builtin_frame_address(0));
  const size_t left = stack_left();
  return left < 2 * reserve ? reinterpret_cast<char*>(UINTPTR_MAX) : here - left + reserve;
}

struct Task {
  const std::function<void()>* f;
  char** limit;
  std::exception_ptr error;
};

void* run_task(void* p) {
  auto* task = static_cast<Task*>(p);
  *task->limit = limit_of_this_stack();
  try {
    (*task->f)();
  } catch (...) {
    task->error = std::current_exception();
  }
  return nullptr;
}

}  // namespace

NativeStack::NativeStack() : limit_(limit_of_this_stack()) {}

void NativeStack::on_new_stack(const std::function<void()>& f) {
  if (segments_ >= max_segments) fail(Code::Stack, "the program nests too deeply");
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, segment);
  Task task{&f, &limit_, nullptr};
  pthread_t thread;
  char* const before = limit_;
  const bool started = pthread_create(&thread, &attr, run_task, &task) == 0;
  pthread_attr_destroy(&attr);
  if (!started) fail(Code::Stack, "no memory for a deeper stack");
  ++segments_;
  pthread_join(thread, nullptr);
  --segments_;
  limit_ = before;
  if (task.error) std::rethrow_exception(task.error);
}

}  // namespace vr::interp
