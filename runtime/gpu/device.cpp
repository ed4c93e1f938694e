#include "runtime/gpu/device.hpp"

#include "support/settings.hpp"

#include <algorithm>
#include <cctype>

namespace vr::gpu {
namespace {

DeviceInfo info_of(const device::Info& found) {
  DeviceInfo d;
  static_cast<device::Info&>(d) = found;
  // The smallest groups of kernels with rows (loop/transform/stage.hpp).
  constexpr int64_t least_group = 128;
  if (d.limits.group_memory_fast && d.limits.max_group >= least_group) d.local_bytes = d.limits.group_memory_bytes;
  return d;
}

bool contains(std::string text, std::string part) {
  auto lower = [](std::string& s) {
    std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  };
  lower(text);
  lower(part);
  return text.find(part) != std::string::npos;
}

std::string device_setting() { return settings::text(settings::Name::VR_DEVICE).value_or(""); }

/// The devices that the filter allows; all if it is empty. At least one.
std::vector<device::Found> matching(const std::string& filter) {
  if (!device::has_driver())
    throw device::Failure{Code::Device, "this build of Velociraptor has no OpenCL support (VR_WITH_OPENCL=OFF)"};
  const std::vector<device::Found> found = device::find_devices();
  std::vector<device::Found> allowed;
  for (const device::Found& f : found)
    if (filter.empty() || contains(f.info.platform, filter) || contains(f.info.name, filter)) allowed.push_back(f);
  if (!allowed.empty()) return allowed;
  if (found.empty())
    throw device::Failure{Code::Device, "no OpenCL device on this machine (is a driver installed? clinfo lists them)"};
  std::string names;
  for (const device::Found& f : found) names += (names.empty() ? "" : ", ") + f.info.text();
  throw device::Failure{Code::Device, "no OpenCL device matches '" + filter + "'; there is: " + names};
}

}  // namespace

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> list;
  try {
    for (const device::Found& f : device::find_devices()) list.push_back(info_of(f.info));
  } catch (const device::Failure&) {
    list.clear();
  }
  return list;
}

Device open_device(const std::string& wanted) {
  const std::string filter = wanted.empty() ? device_setting() : wanted;
  const std::vector<device::Found> found = matching(filter);
  const auto gpu = std::find_if(found.begin(), found.end(), [](const device::Found& f) { return f.info.is_gpu; });
  return use_device((!filter.empty() || gpu == found.end() ? found.front() : *gpu).open());
}

std::vector<Device> open_devices() {
  std::vector<Device> devices;
  for (const device::Found& f : matching(device_setting())) devices.push_back(use_device(f.open()));
  return devices;
}

Device use_device(std::unique_ptr<device::Device> driver) {
  Device d;
  d.driver = std::move(driver);
  d.info = info_of(d.driver->info());
  d.memory_limit = d.info.limits.memory_bytes / 10 * 9;
  if (const auto limit = settings::number(settings::Name::VR_DEVICE_MEMORY))
    d.memory_limit = std::min(*limit, d.memory_limit);
  constexpr size_t usual_chunk = size_t{8} << 20;
  d.staging_chunk = d.info.is_gpu && d.info.separate_memory ? usual_chunk : 0;
  if (const auto staging = settings::number(settings::Name::VR_STAGING)) d.staging_chunk = size_t(*staging);
  // Work-items that a current multiprocessor can have in flight.
  constexpr size_t items_a_unit = 2048;
  d.full_items = size_t(d.info.compute_units) * (d.info.is_gpu ? items_a_unit : 64);
  if (const auto queues = settings::number(settings::Name::VR_QUEUES)) d.info.queues = int(*queues);
  d.info.zero_copy = settings::on(settings::Name::VR_ZERO_COPY, true) && d.driver->works_in_place();
  return d;
}

}  // namespace vr::gpu
