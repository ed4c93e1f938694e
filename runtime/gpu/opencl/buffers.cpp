#include "runtime/gpu/opencl/buffers.hpp"

#include "support/trace.hpp"

#include <algorithm>

namespace vr::gpu {
namespace {

/// Eight sizes an octave: at most an eighth is wasted, and similar sizes find each other.
size_t size_class(size_t bytes) {
  size_t step = 512;
  while (step * 16 < bytes) step *= 2;
  return (bytes + step - 1) / step * step;
}

std::string mebibytes(int64_t bytes) {
  if (bytes < 1 << 20) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

}  // namespace

cl::Buffer Pool::create(cl_mem_flags flags, size_t bytes, void* memory, bool may_fail) {
  if (int64_t(bytes) > device_.info.max_alloc_bytes)
    throw cl::Failure{Code::Device, "an array of " + mebibytes(int64_t(bytes)) + " does not fit on " +
                                        device_.info.text() + ", which takes " +
                                        mebibytes(device_.info.max_alloc_bytes) + " at a time"};
  cl_int status = CL_SUCCESS;
  cl::Buffer buffer(clCreateBuffer(device_.context.get(), flags, bytes, memory, &status));
  if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES || status == CL_OUT_OF_HOST_MEMORY) {
    drop_idle();
    buffer = cl::Buffer(clCreateBuffer(device_.context.get(), flags, bytes, memory, &status));
  }
  if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE && may_fail) return {};
  if (status != CL_SUCCESS)
    throw cl::Failure{Code::Device, "clCreateBuffer of " + mebibytes(int64_t(bytes)) + " on " + device_.info.text() +
                                        " failed: " + cl::error_name(status)};
  return buffer;
}

cl::Buffer Pool::take_buffer(size_t bytes, size_t* capacity) {
  *capacity = capacity_of(bytes);
  {
    std::lock_guard lock(mutex_);
    if (auto it = idle_.find(*capacity); it != idle_.end()) {
      cl::Buffer buffer = std::move(it->second);
      idle_.erase(it);
      idle_bytes_ -= *capacity;
      bytes_in_use_ += *capacity;
      return buffer;
    }
    const auto limit = size_t(device_.memory_limit);
    if (bytes_in_use_ + *capacity > limit) return {};
    if (bytes_in_use_ + idle_bytes_ + *capacity > limit) {
      destroyed();
      idle_.clear();
      idle_bytes_ = 0;
    }
    bytes_in_use_ += *capacity;
  }
  cl::Buffer buffer;
  try {
    buffer = create(CL_MEM_READ_WRITE, *capacity, nullptr, true);
  } catch (...) {
    std::lock_guard lock(mutex_);
    bytes_in_use_ -= *capacity;
    throw;
  }
  if (!buffer) {
    std::lock_guard lock(mutex_);
    bytes_in_use_ -= *capacity;
  }
  return buffer;
}

size_t Pool::capacity_of(size_t bytes) const {
  return std::max(bytes, std::min(size_class(bytes), size_t(device_.info.max_alloc_bytes)));
}

int64_t Pool::bytes_in_use() const {
  std::lock_guard lock(mutex_);
  return int64_t(bytes_in_use_);
}

void Pool::no_room(size_t bytes) const {
  throw cl::Failure{Code::Device, "no room for " + mebibytes(int64_t(bytes)) + " on " + device_.info.text() +
                                      ": the arrays of one kernel must fit into " + mebibytes(device_.memory_limit) +
                                      " (VR_DEVICE_MEMORY)"};
}

void Pool::give_buffer(cl::Buffer buffer, size_t capacity, bool again) {
  // Idle buffers may take a quarter of the device's memory; others are returned to the driver.
  const size_t limit = size_t(device_.memory_limit) / 4;
  std::lock_guard lock(mutex_);
  bytes_in_use_ -= capacity;
  if (!again || idle_bytes_ + capacity > limit) return destroyed();
  idle_bytes_ += capacity;
  idle_.emplace(capacity, std::move(buffer));
}

cl::Buffer Pool::wrap_host(void* memory, size_t bytes) {
  return create(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory);
}

void Pool::drop_idle() {
  std::lock_guard lock(mutex_);
  destroyed();
  idle_.clear();
  idle_bytes_ = 0;
}

cl::Queue Pool::take_queue() {
  {
    std::lock_guard lock(mutex_);
    if (!queues_.empty()) {
      cl::Queue queue = std::move(queues_.back());
      queues_.pop_back();
      return queue;
    }
  }
  cl_int status = CL_SUCCESS;
  // Profiling is needed only for traces, and has a cost.
  const cl_command_queue_properties properties = trace::enabled() ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl::Queue queue(clCreateCommandQueue(device_.context.get(), device_.id, properties, &status));
  cl::check(status, "clCreateCommandQueue");
  return queue;
}

void Pool::give_queue(cl::Queue queue) {
  std::lock_guard lock(mutex_);
  queues_.push_back(std::move(queue));
}

cl::Buffer Pool::take_fault() {
  {
    std::lock_guard lock(mutex_);
    if (!faults_.empty()) {
      cl::Buffer fault = std::move(faults_.back());
      faults_.pop_back();
      return fault;
    }
  }
  DeviceFault none;
  return create(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof none, &none);
}

void Pool::give_fault(cl::Buffer fault) {
  std::lock_guard lock(mutex_);
  faults_.push_back(std::move(fault));
}

}  // namespace vr::gpu
