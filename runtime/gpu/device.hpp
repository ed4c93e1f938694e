// The device of a session: choosing one, and how the runtime uses it.
#pragma once
#include "runtime/device/device.hpp"
#include "runtime/gpu/session.hpp"

namespace vr::gpu {

/// A device and the numbers that determine how work is given to it.
struct Device {
  std::unique_ptr<device::Device> driver;
  DeviceInfo info;
  size_t max_group() const { return size_t(info.limits.max_group); }
  int64_t memory_limit = 0;  ///< bytes that arrays may take: VR_DEVICE_MEMORY, else nine tenths of the device's
  /// Bytes per chunk of a copy through pinned memory; 0: the driver copies. From VR_STAGING, otherwise by the kind of
  /// device.
  size_t staging_chunk = 0;
  size_t full_items = 0;  ///< work-items that fill the device; smaller kernels may run at the same time as others
};

/// Chooses a device as Session::open describes and opens it. Throws device::Failure; FORKED if a parent process used
/// it.
Device open_device(const std::string& filter);
/// The devices of Session::open: one, unless `several` or VR_DEVICES name more. Throws as open_device.
std::vector<Device> open_devices(const std::string& filter, const std::string& several);
/// All devices that VR_DEVICE allows. Throws as open_device.
std::vector<Device> open_matching_devices();
/// The same properties for a device that the caller has opened.
Device use_device(std::unique_ptr<device::Device> driver);

}  // namespace vr::gpu
