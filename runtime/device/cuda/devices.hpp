// CUDA's devices. Their programs are compiled by the OpenCL driver of the same device, whose binaries are PTX.
#pragma once
#include "runtime/device/device.hpp"

#include <span>

namespace vr::device::cuda {

/// See vr::device::find_devices. `compilers`: devices whose Device::build makes PTX for the device at the same address
/// on the bus. A device without one is not offered. `library`: the file of CUDA's driver library. At least one device.
/// Throws Failure with the reason why there is none.
std::vector<Found> find_devices(std::span<const Found> compilers, const std::string& library);

}  // namespace vr::device::cuda
