// Finding OpenCL devices and choosing one.
#pragma once
#include "runtime/gpu/opencl/cl.hpp"
#include "runtime/gpu/session.hpp"

namespace vr::gpu {

/// A device with its context and the properties that determine how kernels are launched on it.
struct Device {
  cl_device_id id = nullptr;
  cl_platform_id platform = nullptr;
  DeviceInfo info;
  cl::Context context;
  size_t max_group() const { return size_t(info.max_group); }
  size_t max_items[3] = {1, 1, 1};
  int64_t memory_limit = 0;  ///< bytes that arrays may take: VR_DEVICE_MEMORY, else nine tenths of the device's
  /// Bytes per chunk of a copy through pinned memory; 0: the driver copies. VR_STAGING, else by the kind of device.
  size_t staging_chunk = 0;
  size_t full_items = 0;           ///< work-items that fill the device; smaller kernels may run at the same time as others
  bool exact_fp32_divide = false;  ///< supports -cl-fp32-correctly-rounded-divide-sqrt
};

inline constexpr const char* forked_message =
    "this process was forked from one that used OpenCL, whose drivers do not work in a forked process; start processes "
    "with fork and exec (multiprocessing: 'spawn' or 'forkserver'), or fork before OpenCL is first used";

/// Chooses a device as Session::open describes and creates the context. Throws cl::Failure; FORKED if a parent process used OpenCL.
Device open_device(const std::string& filter);
/// All devices that VR_DEVICE allows. Throws as open_device.
std::vector<Device> open_devices();

}  // namespace vr::gpu
