#include "runtime/device/device.hpp"

#include "support/file_cache.hpp"
#include "support/settings.hpp"

#ifdef VR_HAVE_OPENCL
#include "runtime/device/cuda/devices.hpp"
#include "runtime/device/opencl/devices.hpp"
#endif

#include <algorithm>
#include <iterator>

namespace vr::device {

std::string Info::text() const { return name + " (" + platform + ")"; }

std::string Info::identity() const { return platform + '\n' + name + '\n' + version + '\n' + driver; }

std::unique_ptr<Products> Device::open_products(FileCache, size_t) { return nullptr; }

#ifdef VR_HAVE_OPENCL
std::vector<Found> find_devices(std::string_view driver) {
  std::vector<Found> found = opencl::find_devices();
  if (driver == usual_driver) return found;
  const auto of_cuda = [&] {
    return cuda::find_devices(found, settings::text(settings::Name::VR_CUDA_LIBRARY).value_or("libcuda.so.1"));
  };
  if (driver == "cuda") return of_cuda();
  if (!driver.empty()) return {};
  try {
    std::vector<Found> more = of_cuda();
    std::move(more.begin(), more.end(), std::back_inserter(found));
  } catch (const Failure&) {}  // the reason is reported where such a device is asked for
  return found;
}
bool has_driver() { return true; }
#else
std::vector<Found> find_devices(std::string_view) { return {}; }
bool has_driver() { return false; }
#endif

std::string mebibytes(int64_t bytes) {
  if (bytes < 1 << 20) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

}  // namespace vr::device
