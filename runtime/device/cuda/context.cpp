#include "runtime/device/cuda/context.hpp"

namespace vr::device::cuda {

Context::Context(const Api& api, CUdevice device) : api_(api), device_(device) {
  int pitch = 0;
  api_.check(api_.device_attribute(&pitch, max_pitch_bytes, device_), "cuDeviceGetAttribute");
  max_pitch_ = size_t(pitch);
  // Other users of CUDA in this process have the same one.
  api_.check(api_.context_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

Context::~Context() {
  try {
    const Current current = enter();
    for (const auto& idle : idle_)
      for (const CUevent event : idle) api_.event_destroy(event);
    if (origin_) api_.event_destroy(origin_);
  } catch (const Failure&) {}  // the context is gone, and its events with it
  api_.context_release(device_);
}

CUevent Context::take_event(bool timed) {
  {
    std::lock_guard lock(mutex_);
    if (auto& idle = idle_[timed]; !idle.empty()) {
      const CUevent event = idle.back();
      idle.pop_back();
      return event;
    }
  }
  CUevent event = nullptr;
  api_.check(api_.event_create(&event, timed ? 0 : event_disable_timing), "cuEventCreate");
  return event;
}

void Context::give_event(CUevent event, bool timed) noexcept {
  try {
    std::lock_guard lock(mutex_);
    idle_[timed].push_back(event);
  } catch (const std::bad_alloc&) {}  // lost, until the context is destroyed
}

void Context::start_clock() {
  std::lock_guard lock(mutex_);
  if (origin_) return;
  CUevent origin = nullptr;
  api_.check(api_.event_create(&origin, 0), "cuEventCreate");
  CUresult code = api_.event_record(origin, nullptr);
  if (code == success) code = api_.event_wait(origin);
  if (code != success) {
    api_.event_destroy(origin);
    api_.fail("cuEventRecord", code);
  }
  started_ = std::chrono::steady_clock::now();
  origin_ = origin;
}

int64_t Context::host_ns() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - started_).count();
}

int64_t Context::ns_at(CUevent event) const {
  float ms = 0;
  if (api_.event_elapsed(&ms, origin_, event) != success) return -1;
  return int64_t(double(ms) * 1e6);
}

}  // namespace vr::device::cuda
