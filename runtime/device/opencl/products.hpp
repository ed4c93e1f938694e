// Products of matrices by RaijinCL, which uses OpenCL itself.
#pragma once
#include "runtime/device/opencl/cl.hpp"

namespace vr::device::opencl {

/// See Device::open_products. The device profile is the one in the file named by VR_RAIJINCL_PROFILE, if no other user
/// can have written it and it was made for this device (otherwise there is a warning), or the one that RaijinCL ships.
std::unique_ptr<Products> open_products(cl_context context, cl_device_id device, FileCache cache, size_t scratch_bytes);

}  // namespace vr::device::opencl
