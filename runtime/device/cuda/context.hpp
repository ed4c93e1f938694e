// What the objects of a CUDA device share: its context, and events that are used again.
#pragma once
#include "runtime/device/cuda/api.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace vr::device::cuda {

/// The primary context of a device. Thread-safe. Objects keep it, so that it outlives them in any order.
class Context {
 public:
  Context(const Api& api, CUdevice device);
  ~Context();
  Context(const Context&) = delete;

  const Api& api() const { return api_; }
  Current enter() const { return {api_, context_}; }
  size_t max_pitch() const { return max_pitch_; }

  /// An event of a pool; creating one takes about as long as a launch. The context is current.
  CUevent take_event(bool timed);
  void give_event(CUevent event, bool timed) noexcept;

  /// Starts the clock of timed events, if it does not run. The context is current.
  void start_clock();
  /// Nanoseconds since the clock was started, by the host's clock and at an event that has ended. -1: not known.
  int64_t host_ns() const;
  int64_t ns_at(CUevent event) const;

 private:
  const Api& api_;
  CUdevice device_;
  CUcontext context_ = nullptr;
  size_t max_pitch_ = 0;
  std::mutex mutex_;
  std::vector<CUevent> idle_[2];  ///< [timed]
  CUevent origin_ = nullptr;
  std::chrono::steady_clock::time_point started_;
};
using ContextPtr = std::shared_ptr<Context>;

}  // namespace vr::device::cuda
