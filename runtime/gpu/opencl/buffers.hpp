// Idle device objects kept for the next section: buffers by size, command queues, zeroed fault buffers.
#pragma once
#include "runtime/gpu/opencl/device.hpp"

#include <map>
#include <mutex>
#include <vector>

namespace vr::gpu {

/// What a kernel writes on a fault; the emitted text declares the same (codegen/opencl/emit.hpp).
struct DeviceFault {
  int32_t code = 0, site = 0;
  int64_t index = 0, extent = 0;
};
static_assert(sizeof(DeviceFault) == 24);

/// Thread-safe. What is given back must be unused: all commands on it have ended.
class Pool {
 public:
  explicit Pool(const Device& device) : device_(device) {}

  /// A buffer of at least `bytes` (> 0); *capacity is its real size. Contents undefined.
  cl::Buffer take_buffer(size_t bytes, size_t* capacity);
  void give_buffer(cl::Buffer buffer, size_t capacity);
  /// A buffer on the host's memory (DeviceInfo::zero_copy); not pooled.
  cl::Buffer wrap_host(void* memory, size_t bytes);
  /// An in-order queue.
  cl::Queue take_queue();
  void give_queue(cl::Queue queue);
  /// A DeviceFault with code 0.
  cl::Buffer take_fault();
  void give_fault(cl::Buffer fault);

 private:
  cl::Buffer create(cl_mem_flags flags, size_t bytes, void* memory);
  void drop_idle();

  const Device& device_;
  std::mutex mutex_;
  std::multimap<size_t, cl::Buffer> idle_;  // by capacity
  size_t idle_bytes_ = 0;
  std::vector<cl::Queue> queues_;
  std::vector<cl::Buffer> faults_;
};

}  // namespace vr::gpu
