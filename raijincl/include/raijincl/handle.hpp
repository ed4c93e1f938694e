// Owning handles of OpenCL objects: movable, not copyable; the destructor releases the object. Not thread-safe.
#pragma once
#include <CL/cl.h>

#include <utility>

namespace raijincl {

template <class T, cl_int (*Release)(T)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T t) : t_(t) {}
  Handle(Handle&& o) noexcept : t_(std::exchange(o.t_, nullptr)) {}
  Handle& operator=(Handle&& o) noexcept {
    if (this != &o) {
      reset();
      t_ = std::exchange(o.t_, nullptr);
    }
    return *this;
  }
  ~Handle() { reset(); }
  void reset() {
    if (t_) Release(std::exchange(t_, nullptr));
  }
  T get() const { return t_; }
  T* out() {
    reset();
    return &t_;
  }
  T give() { return std::exchange(t_, nullptr); }
  explicit operator bool() const { return t_ != nullptr; }

 private:
  T t_ = nullptr;
};

using MemHandle = Handle<cl_mem, clReleaseMemObject>;
using EventHandle = Handle<cl_event, clReleaseEvent>;
using ProgramHandle = Handle<cl_program, clReleaseProgram>;
using KernelHandle = Handle<cl_kernel, clReleaseKernel>;
using QueueHandle = Handle<cl_command_queue, clReleaseCommandQueue>;

}  // namespace raijincl
