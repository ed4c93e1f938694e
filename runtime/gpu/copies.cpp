#include "runtime/gpu/copies.hpp"

#include "runtime/gpu/events.hpp"

#include <new>

namespace vr::gpu {

CopyRates rates_of(const DeviceInfo& device) { return device.is_gpu ? CopyRates::gpu() : CopyRates::cpu(); }

Copies::Sent Copies::up(device::Queue& queue, device::Buffer& to, uintptr_t base, const UploadPlan& plan) {
  Sent sent;
  try {
    for (const Rows& rows : plan.commands) {
      // The queue is in-order, so the end of the last command is the end of all.
      sent.last = staging_.upload(queue, to, rows.base - base, rows);
      sent.bytes += rows.bytes();
    }
  } catch (...) {
    // The enqueued commands read host memory.
    finished(queue);
    throw;
  }
  traffic_.bytes_up += sent.bytes;
  return sent;
}

int64_t Copies::down(device::Queue& queue, device::Buffer& from, uintptr_t base, const Region& region) {
  const DownloadPlan plan = plan_download(region, rates);
  int64_t bytes = 0;
  if (plan.by_hull) {
    std::unique_ptr<char[]> image(new (std::nothrow) char[plan.hull.bytes()]);
    if (!image) throw device::Failure{Code::OutOfMemory, "no host memory to bring an array back from the device"};
    staging_.download(queue, from, plan.hull.lo - base, image.get(), plan.hull.bytes());
    for (const Lmad& box : region) copy_box(box, image.get(), plan.hull.lo);
    bytes += int64_t(plan.hull.bytes());
  }
  for (const Rows& rows : plan.commands) {
    staging_.download(queue, from, rows.base - base, rows);
    bytes += rows.bytes();
  }
  traffic_.bytes_down += bytes;
  return bytes;
}

}  // namespace vr::gpu
