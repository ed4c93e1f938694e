// Copies between host memory and device memory through pinned memory, which the device can access directly.
#pragma once
#include "runtime/gpu/device.hpp"
#include "runtime/gpu/regions/transfer.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace vr::gpu {

/// A host's arrays are in pageable memory, which a driver copies at the speed of one core. Here a few threads copy a
/// chunk into pinned memory while the device transfers the previous chunk (thesis 7.3.3). One per session; thread-safe:
/// each of up to `most_lanes` copies at a time has pinned memory of its own, further ones are left to the driver.
/// Nothing is pinned before the first large copy.
class Staging {
 public:
  explicit Staging(const Device& device) : device_(device) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Copies `bytes` bytes from `from` to byte `offset` of the buffer. `from` has been read when this returns; the event
  /// is that of the last command in `queue`, which must be in-order. Throws device::Failure.
  device::EventPtr upload(device::Queue& queue, device::Buffer& buffer, size_t offset, const void* from, size_t bytes);
  /// Copies from the buffer to `to`, after all work in `queue`; `to` is complete when this returns. Throws
  /// device::Failure.
  void download(device::Queue& queue, device::Buffer& buffer, size_t offset, void* to, size_t bytes);
  /// The same for rows of host memory, the first of which is at byte `offset` of the buffer; with several rows `upload`
  /// may read them until its event.
  device::EventPtr upload(device::Queue& queue, device::Buffer& buffer, size_t offset, const Rows& from);
  void download(device::Queue& queue, device::Buffer& buffer, size_t offset, const Rows& to);

 private:
  /// Smaller copies are left to the driver.
  bool takes(size_t bytes) const { return device_.staging_chunk > 0 && bytes > device_.staging_chunk / 4; }
  static constexpr size_t chunks = 3, most_lanes = 4;
  /// The memory of one copy.
  struct Lane {
    std::unique_ptr<device::Pinned> pinned;
    std::array<device::EventPtr, chunks> busy;  ///< the last command that uses each chunk
    ~Lane();
  };
  struct Return {
    Staging* staging;
    void operator()(Lane* lane) const { staging->give(lane); }
  };
  using Taken = std::unique_ptr<Lane, Return>;
  /// Null: all are in use, or pinned memory is not available.
  Taken take();
  void give(Lane* lane);

  const Device& device_;
  std::mutex mutex_;
  bool failed_ = false;  ///< pinned memory is not requested again
  size_t lanes_ = 0;     ///< that exist
  std::vector<std::unique_ptr<Lane>> idle_;
};

}  // namespace vr::gpu
