// OpenCL's devices.
#pragma once
#include "runtime/device/device.hpp"

namespace vr::device::opencl {

/// See vr::device::find_devices.
std::vector<Found> find_devices();

}  // namespace vr::device::opencl
