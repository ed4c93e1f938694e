// The speed of a device relative to others, where nobody has measured it.
#pragma once
#include "runtime/gpu/device.hpp"

namespace vr::gpu {

/// Bytes per second that a kernel reads and writes in the device's memory: a measurement of some ms, besides the time
/// that the driver takes to build a small program. Throws device::Failure.
double measure_memory_speed(const Device& device);

}  // namespace vr::gpu
