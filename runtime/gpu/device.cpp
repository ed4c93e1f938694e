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

std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return s;
}
bool contains(const std::string& text, const std::string& part) {
  return lower(text).find(lower(part)) != std::string::npos;
}
/// Whether the name is that of a device's number, as in "opencl:0".
bool is_id(const std::string& name) {
  const size_t colon = name.find(':');
  return colon != std::string::npos && colon > 0 && colon + 1 < name.size() &&
         std::all_of(name.begin(), name.begin() + std::ptrdiff_t(colon),
                     [](unsigned char c) { return std::isalpha(c) != 0; }) &&
         std::all_of(name.begin() + std::ptrdiff_t(colon) + 1, name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}
bool matches(const device::Info& info, const std::string& filter) {
  if (filter.empty()) return true;
  if (is_id(filter)) return info.id == lower(filter);
  return contains(info.platform, filter) || contains(info.name, filter);
}

std::string device_setting() { return settings::text(settings::Name::VR_DEVICE).value_or(""); }

/// The driver that the name's devices are of.
std::string driver_of(const std::string& name) {
  return is_id(name) ? lower(name.substr(0, name.find(':'))) : device::usual_driver;
}

/// The devices that the filter allows; all of the usual driver if it is empty. At least one.
std::vector<device::Found> matching(const std::string& filter) {
  if (!device::has_driver())
    throw device::Failure{Code::Device, "this build of Velociraptor has no OpenCL support (VR_WITH_OPENCL=OFF)"};
  const std::vector<device::Found> found = device::find_devices(driver_of(filter));
  std::vector<device::Found> allowed;
  for (const device::Found& f : found)
    if (matches(f.info, filter)) allowed.push_back(f);
  if (!allowed.empty()) return allowed;
  if (found.empty())
    throw device::Failure{Code::Device, "no OpenCL device on this machine (is a driver installed? clinfo lists them)"};
  std::string names;
  for (const device::Found& f : found) names += (names.empty() ? "" : ", ") + f.info.id + " is " + f.info.text();
  const char* kind = driver_of(filter) == device::usual_driver ? "OpenCL " : "";
  throw device::Failure{Code::Device,
                        "no " + std::string(kind) + "device matches '" + filter + "'; there is: " + names};
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

namespace {

/// The device of a name: the first one that it allows; of an empty name, the first GPU, else any.
device::Found choose(const std::string& filter) {
  std::vector<device::Found> found = matching(filter);
  const auto gpu = std::find_if(found.begin(), found.end(), [](const device::Found& f) { return f.info.is_gpu; });
  return std::move(!filter.empty() || gpu == found.end() ? found.front() : *gpu);
}

/// The names in a list that is separated by commas, without the spaces around them.
std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> names;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    std::string name = list.substr(at, end - at);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (name.empty()) throw device::Failure{Code::Usage, "the list of devices '" + list + "' has an empty name"};
    names.push_back(std::move(name));
    at = end + 1;
  }
  return names;
}

bool same_by_another_driver(const device::Found& a, const device::Found& b) {
  return !a.bus.empty() && a.bus == b.bus && driver_of(a.info.id) != driver_of(b.info.id);
}

/// "all": every GPU, or every device if there is none.
std::vector<device::Found> choose_all() {
  std::vector<device::Found> found = matching(""), gpus;
  std::copy_if(found.begin(), found.end(), std::back_inserter(gpus),
               [](const device::Found& f) { return f.info.is_gpu; });
  return gpus.empty() ? found : gpus;
}

}  // namespace

Device open_device(const std::string& wanted) {
  return use_device(choose(wanted.empty() ? device_setting() : wanted).open());
}

std::vector<Device> open_devices(const std::string& wanted, const std::string& several) {
  if (!wanted.empty() && !several.empty())
    throw device::Failure{
        Code::Usage, "one device and a list of devices are both requested: '" + wanted + "' and '" + several + "'"};
  std::string list = several;
  if (wanted.empty() && several.empty()) list = settings::text(settings::Name::VR_DEVICES).value_or("");
  std::vector<Device> devices;
  if (list.empty()) {
    devices.push_back(open_device(wanted));
    return devices;
  }
  std::vector<device::Found> chosen;
  constexpr char every_device[] = "all";
  if (lower(list) == every_device) {
    chosen = choose_all();
  } else {
    for (const std::string& name : names_of(list)) {
      device::Found found = choose(name);
      for (const device::Found& other : chosen) {
        if (same_by_another_driver(other, found))
          throw device::Failure{Code::Usage, "the list of devices '" + list + "' names " + other.info.id + " and " +
                                                 found.info.id + ", which are the same " + found.info.name};
        if (other.info.id == found.info.id)
          throw device::Failure{Code::Usage, "the list of devices '" + list + "' names " + found.info.id + ", " +
                                                 found.info.text() +
                                                 ", twice; 'opencl:N' names one of several equal "
                                                 "devices"};
      }
      chosen.push_back(std::move(found));
    }
  }
  for (const device::Found& f : chosen) devices.push_back(use_device(f.open()));
  return devices;
}

std::vector<Device> open_matching_devices() {
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
  d.info.limits.groups_progress = settings::on(settings::Name::VR_LOOK_BACK, d.info.limits.groups_progress);
  d.info.zero_copy = settings::on(settings::Name::VR_ZERO_COPY, true) && d.driver->works_in_place();
  return d;
}

}  // namespace vr::gpu
