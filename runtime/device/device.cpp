#include "runtime/device/device.hpp"

#include "support/file_cache.hpp"

#ifdef VR_HAVE_OPENCL
#include "runtime/device/opencl/devices.hpp"
#endif

namespace vr::device {

std::string Info::text() const { return name + " (" + platform + ")"; }

std::string Info::identity() const { return platform + '\n' + name + '\n' + version + '\n' + driver; }

std::unique_ptr<Products> Device::open_products(FileCache, size_t) { return nullptr; }

#ifdef VR_HAVE_OPENCL
std::vector<Found> find_devices() { return opencl::find_devices(); }
bool has_driver() { return true; }
#else
std::vector<Found> find_devices() { return {}; }
bool has_driver() { return false; }
#endif

std::string mebibytes(int64_t bytes) {
  if (bytes < 1 << 20) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

}  // namespace vr::device
