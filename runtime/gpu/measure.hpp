// Measured performance of a device (thesis 7.4.1, 7.4.2), kept in a file for later sessions.
#pragma once
#include "runtime/gpu/session.hpp"

#include <functional>
#include <optional>

namespace vr::gpu {

/// The operations of the peak rates, in the order of the rates.
enum class Peak { Add, Mul, Mixed, Fma };
constexpr const char* peak_names[] = {"add", "mul", "mixed", "fma"};

struct Measurement {
  double gflops[2][4] = {};         ///< [float32, float64][Peak]; an fma counts as two operations; 0: no float64
  double copy_gbs = 0;              ///< bytes read and written on the device, GB/s
  double up_gbs = 0, down_gbs = 0;  ///< copies between host memory and the device
  double up_pinned_gbs = 0;         ///< the same from pinned memory
  double launch_us = 0;             ///< time of a small kernel, one of many in a queue
  double wait_us = 0;               ///< time of launching a small kernel and waiting for it
  int queues = 1;  ///< number in which kernels of one work-group run at the same time as fast as one alone
  /// One line each: "gflops.f32.add 123.4".
  std::string text() const;
  static Measurement from(const std::string& text);
};

/// Takes some seconds on an idle device. `progress`, which may be empty, is called with the name of the next
/// measurement. Error DEVICE when the driver fails.
Result<Measurement> measure(const std::string& filter, const std::function<void(const std::string&)>& progress);

/// The device file: in the cache directory (support/file_cache.hpp), by device and driver. Sessions that use the disk
/// read it when they open. False: there is no cache directory.
bool store(const DeviceInfo& device, const Measurement& m);
/// Empty if the device has not been measured.
std::optional<Measurement> stored(const DeviceInfo& device);

}  // namespace vr::gpu
