// Copies of regions between host memory and a buffer whose byte 0 corresponds to a host address.
#pragma once
#include "runtime/gpu/staging.hpp"

#include <atomic>

namespace vr::gpu {

/// Copies between host and device, counted for all sections of a session.
struct Traffic {
  std::atomic<int64_t> bytes_up{0}, bytes_down{0};
};

CopyRates rates_of(const DeviceInfo& device);

class Copies {
 public:
  Copies(const Device& device, Staging& staging, Traffic& traffic)
      : rates(rates_of(device.info)), staging_(staging), traffic_(traffic) {}

  struct Sent {
    device::EventPtr last;  ///< the end of the last command; null: there is none
    int64_t bytes = 0;
  };
  /// Enqueues the plan's commands. If one fails, those before it have ended.
  Sent up(device::Queue& queue, device::Buffer& to, uintptr_t base, const UploadPlan& plan);
  /// After all work in `queue`; returns how many bytes it has copied. Only the region's bytes of host memory change:
  /// those between them do not belong to the section, and another thread may be changing them.
  int64_t down(device::Queue& queue, device::Buffer& from, uintptr_t base, const Region& region);

  /// Counts bytes that were copied without this object.
  void count_up(int64_t bytes) { traffic_.bytes_up += bytes; }
  void count_down(int64_t bytes) { traffic_.bytes_down += bytes; }

  const CopyRates rates;

 private:
  Staging& staging_;
  Traffic& traffic_;
};

}  // namespace vr::gpu
