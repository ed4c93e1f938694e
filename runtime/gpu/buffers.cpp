#include "runtime/gpu/buffers.hpp"

#include "support/trace.hpp"

#include <algorithm>

namespace vr::gpu {
namespace {

/// Eight sizes per octave: at most an eighth of a buffer is wasted, and buffers of similar sizes are reused.
size_t size_class(size_t bytes) {
  size_t step = 512;
  while (step * 16 < bytes) step *= 2;
  return (bytes + step - 1) / step * step;
}

}  // namespace

/// `make` makes a buffer. If there is no memory, idle buffers are freed and it is called again.
template <class Make>
std::unique_ptr<device::Buffer> Pool::create(size_t bytes, Make&& make) {
  if (int64_t(bytes) > device_.info.limits.max_alloc_bytes)
    throw device::Failure{Code::Device, "an array of " + device::mebibytes(int64_t(bytes)) + " does not fit on " +
                                            device_.info.text() + ", which takes " +
                                            device::mebibytes(device_.info.limits.max_alloc_bytes) + " at a time"};
  try {
    return make(*device_.driver);
  } catch (const device::NoMemory&) {
    drop_idle();
  }
  return make(*device_.driver);
}

std::unique_ptr<device::Buffer> Pool::take_buffer(size_t bytes, size_t* capacity) {
  *capacity = capacity_of(bytes);
  {
    std::lock_guard lock(mutex_);
    if (auto it = idle_.find(*capacity); it != idle_.end()) {
      std::unique_ptr<device::Buffer> buffer = std::move(it->second);
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
  std::unique_ptr<device::Buffer> buffer;
  try {
    buffer = create(*capacity, [&](device::Device& d) { return d.allocate(*capacity); });
  } catch (const device::NoMemory& f) {
    // The caller has to free memory on the device first.
    std::lock_guard lock(mutex_);
    bytes_in_use_ -= *capacity;
    if (!f.of_device) throw;
  } catch (...) {
    std::lock_guard lock(mutex_);
    bytes_in_use_ -= *capacity;
    throw;
  }
  return buffer;
}

size_t Pool::capacity_of(size_t bytes) const {
  return std::max(bytes, std::min(size_class(bytes), size_t(device_.info.limits.max_alloc_bytes)));
}

int64_t Pool::bytes_in_use() const {
  std::lock_guard lock(mutex_);
  return int64_t(bytes_in_use_);
}

int64_t Pool::room() const { return device_.memory_limit - bytes_in_use(); }

void Pool::no_room(size_t bytes) const {
  // Messages have 255 characters (vr_error), of which callers need a hundred.
  constexpr size_t most_of_name = 40;
  std::string device = device_.info.text();
  if (device.size() > most_of_name) device.replace(most_of_name - 3, std::string::npos, "...");
  throw device::Failure{Code::Device, "no room for " + device::mebibytes(int64_t(bytes)) + " on " + device +
                                          ": the arrays of one kernel must fit into " +
                                          device::mebibytes(device_.memory_limit) + " (VR_DEVICE_MEMORY)"};
}

void Pool::give_buffer(std::unique_ptr<device::Buffer> buffer, size_t capacity, bool again) {
  // Idle buffers may take a quarter of the device's memory; others are returned to the driver.
  const size_t limit = size_t(device_.memory_limit) / 4;
  std::lock_guard lock(mutex_);
  bytes_in_use_ -= capacity;
  if (!again || idle_bytes_ + capacity > limit) return destroyed();
  idle_bytes_ += capacity;
  idle_.emplace(capacity, std::move(buffer));
}

std::unique_ptr<device::Buffer> Pool::wrap_host(void* memory, size_t bytes) {
  return create(bytes, [&](device::Device& d) { return d.wrap(memory, bytes); });
}

void Pool::drop_idle() {
  std::lock_guard lock(mutex_);
  destroyed();
  idle_.clear();
  idle_bytes_ = 0;
}

std::unique_ptr<device::Queue> Pool::take_queue() {
  {
    std::lock_guard lock(mutex_);
    if (!queues_.empty()) {
      std::unique_ptr<device::Queue> queue = std::move(queues_.back());
      queues_.pop_back();
      return queue;
    }
  }
  // Times are needed only for traces, and have a cost.
  return device_.driver->make_queue(trace::enabled());
}

void Pool::give_queue(std::unique_ptr<device::Queue> queue) {
  std::lock_guard lock(mutex_);
  queues_.push_back(std::move(queue));
}

std::unique_ptr<device::Buffer> Pool::take_fault() {
  {
    std::lock_guard lock(mutex_);
    if (!faults_.empty()) {
      std::unique_ptr<device::Buffer> fault = std::move(faults_.back());
      faults_.pop_back();
      return fault;
    }
  }
  DeviceFault none;
  return create(sizeof none, [&](device::Device& d) { return d.allocate(sizeof none, &none); });
}

void Pool::give_fault(std::unique_ptr<device::Buffer> fault) {
  std::lock_guard lock(mutex_);
  faults_.push_back(std::move(fault));
}

}  // namespace vr::gpu
