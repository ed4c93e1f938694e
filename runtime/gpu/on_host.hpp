// Record of fallbacks: work of accelerated sections that ran on the CPU because the device could not run it. Shown in
// reports.
#pragma once
#include "runtime/abi.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace vr::gpu {

/// Each kind of work with its reason and a count. Keeps the first `most` entries; for others only their number.
/// Thread-safe.
class OnHost {
 public:
  /// `site`: source location of the work; null: not known. `what`: "a kernel"; `why`: the reason, not a full sentence;
  /// `where`: what it ran on instead of the device, or of all devices.
  /// Does nothing if there is no memory for the entry.
  void add(const vr_site* site, const std::string& what, const std::string& why,
           const char* where = "the CPU") noexcept;
  /// One line per entry, in the order of their first occurrence.
  std::vector<std::string> lines() const;

 private:
  static constexpr size_t most = 64;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, int64_t>> times_;  ///< "PLACE: WHAT of 'F' ran on WHERE\0WHY": how often
  int64_t others_ = 0;
};

}  // namespace vr::gpu
