#include "interp/native_stack.hpp"

#include "interp/fault.hpp"

#include <pthread.h>

#include <exception>

namespace vr::interp {

namespace {

// What one step of the recursion (evaluate, call, library function) may use before the next check, with room for
// sanitizers' large frames.
constexpr size_t reserve = 512 * 1024;
constexpr size_t segment = 64 * 1024 * 1024;
constexpr int max_segments = 64;

char* limit_of_this_thread() {
  thread_local char* limit = [] {
    pthread_attr_t attr;
    void* low = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) != 0)
      return static_cast<char*>(__builtin_frame_address(0)) - 64 * 1024;
    pthread_attr_getstack(&attr, &low, &size);
    pthread_attr_destroy(&attr);
    // A small stack keeps at least half of it usable; what is missing comes from a segment.
    return static_cast<char*>(low) + (size < 2 * reserve ? size / 2 : reserve);
  }();
  return limit;
}

struct Task {
  const std::function<void()>* f;
  char** limit;
  std::exception_ptr error;
};

void* run_task(void* p) {
  auto* task = static_cast<Task*>(p);
  *task->limit = limit_of_this_thread();
  try {
    (*task->f)();
  } catch (...) {
    task->error = std::current_exception();
  }
  return nullptr;
}

}  // namespace

NativeStack::NativeStack() : limit_(limit_of_this_thread()) {}

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
