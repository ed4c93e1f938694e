// The implementation of Context.
#pragma once
#include <mutex>
#include <shared_mutex>

#include "core/config.hpp"
#include "core/error.hpp"
#include "core/pool.hpp"
#include "core/programs.hpp"
#include "raijincl/context.hpp"

namespace raijincl {

struct Context::Impl {
  Impl(cl_context c, cl_device_id d, const Options& o)
      : context(c), device(d), options(o), programs(c, d, options), pool(c, o.pool_bytes) {}
  ~Impl() { clReleaseContext(context); }

  const cl_context context;
  const cl_device_id device;
  const Options options;
  DeviceInfo info;
  Programs programs;
  Pool pool;

  std::shared_mutex profile_mutex;
  Profile profile;

  // Kernels with inline PTX that were tried on this device: whether they were built and gave correct results
  // (routines/gemm_check.cpp).
  struct Accepted {
    GemmConfig config;
    Precision precision;
    bool right;
  };
  std::mutex accepted_mutex;
  std::vector<Accepted> accepted;  // few entries per precision

  VectorConfig vector() {
    std::shared_lock lock(profile_mutex);
    return profile.vector;
  }
};

// Checks of a Launch before anything is enqueued.
Status check_launch(const Context::Impl&, const Launch&);
Status check_precision(const Context::Impl&, Precision);
// `elements`: the number of elements from the start of the buffer that the call may access.
Status check_buffer(const Context::Impl&, const char* name, cl_mem, std::size_t elements, std::size_t element_size);

// Whether the queue is in-order, so that its commands need no events to order them.
bool in_order(cl_command_queue);

// Sets the arguments of a kernel in order and launches it.
class Enqueue {
 public:
  explicit Enqueue(cl_kernel k) : kernel_(k) {}
  template <class T>
  Enqueue& arg(const T& v) {
    return raw(sizeof v, &v);
  }
  Enqueue& raw(std::size_t size, const void* v) {
    if (err_ == CL_SUCCESS) err_ = clSetKernelArg(kernel_, index_, size, v);
    ++index_;
    return *this;
  }
  Status run(cl_command_queue, std::size_t dims, const std::size_t* global, const std::size_t* local,
             std::span<const cl_event> wait, cl_event* event);

 private:
  cl_kernel kernel_;
  cl_uint index_ = 0;
  cl_int err_ = CL_SUCCESS;
};

// An empty command: `*event` completes when `wait` has.
Status enqueue_marker(const Launch&);

}  // namespace raijincl
