// Accelerated sections of programs compiled ahead of time: how the core calls the part `opencl`, and how that part
// calls operations that run on the CPU.
#include "runtime/aot/parts.hpp"

namespace vr::runtime {

namespace {
// Written before main() or by the loader, possibly while calls run.
std::atomic<const DeviceCalls*> device{nullptr};

/// A string from the part `opencl`; "" without that part.
size_t text_of(size_t (*DeviceCalls::*of)(char*, size_t), char* text, size_t size) {
  if (const DeviceCalls* calls = device_calls()) return (calls->*of)(text, size);
  if (size > 0) *text = '\0';
  return 0;
}
}  // namespace

CpuLibrary cpu_library;

void register_device(const DeviceCalls& calls) { device.store(&calls, std::memory_order_release); }
const DeviceCalls* device_calls() { return device.load(std::memory_order_acquire); }

}  // namespace vr::runtime

using vr::runtime::device_calls;
using vr::runtime::DeviceCalls;
using vr::runtime::text_of;

extern "C" {

size_t vr_aot_device(char* text, size_t size) { return text_of(&DeviceCalls::name, text, size); }
size_t vr_aot_report(char* text, size_t size) { return text_of(&DeviceCalls::report, text, size); }

void vr_aot_device_use(vr_aot_use* out) {
  *out = {};
  if (const auto* device = device_calls()) device->use(out);
}
}
