// Idle device objects that are kept for later sections: buffers by size, command queues, zeroed fault buffers.
#pragma once
#include "runtime/gpu/device.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace vr::gpu {

/// The record that a kernel writes on a fault; the generated OpenCL C declares the same (codegen/opencl/emit.hpp).
struct DeviceFault {
  int32_t code = 0, site = 0;
  int64_t index = 0, extent = 0;
};
static_assert(sizeof(DeviceFault) == 24);

/// Thread-safe. Objects may be returned only after all commands that use them have ended.
class Pool {
 public:
  explicit Pool(const Device& device) : device_(device) {}

  /// A buffer of at least `bytes` (> 0); *capacity is its real size. Contents undefined. Empty when the device's memory
  /// (Device::memory_limit) has no room for it besides the buffers in use; idle buffers are freed first.
  std::unique_ptr<device::Buffer> take_buffer(size_t bytes, size_t* capacity);
  int64_t bytes_in_use() const;
  /// How many more bytes of buffers may be allocated.
  int64_t room() const;
  /// Real size of a buffer of at least `bytes`.
  size_t capacity_of(size_t bytes) const;
  /// Throws the failure for a section that needs a buffer of this size and cannot have it.
  [[noreturn]] void no_room(size_t bytes) const;
  /// again: whether the buffer may be reused.
  void give_buffer(std::unique_ptr<device::Buffer> buffer, size_t capacity, bool again = true);
  /// Changes whenever a buffer has been destroyed.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  /// To be called before a buffer from this pool is destroyed instead of being returned.
  void destroyed() { generation_.fetch_add(1, std::memory_order_acq_rel); }
  /// A buffer on the host's memory (DeviceInfo::zero_copy); not pooled.
  std::unique_ptr<device::Buffer> wrap_host(void* memory, size_t bytes);
  /// An in-order queue.
  std::unique_ptr<device::Queue> take_queue();
  void give_queue(std::unique_ptr<device::Queue> queue);
  /// A DeviceFault with code 0.
  std::unique_ptr<device::Buffer> take_fault();
  void give_fault(std::unique_ptr<device::Buffer> fault);

 private:
  template <class Make>
  std::unique_ptr<device::Buffer> create(size_t bytes, Make&& make);
  void drop_idle();

  const Device& device_;
  std::atomic<uint64_t> generation_{0};
  mutable std::mutex mutex_;
  std::multimap<size_t, std::unique_ptr<device::Buffer>> idle_;  // by capacity
  size_t idle_bytes_ = 0, bytes_in_use_ = 0;
  std::vector<std::unique_ptr<device::Queue>> queues_;
  std::vector<std::unique_ptr<device::Buffer>> faults_;
};

}  // namespace vr::gpu
