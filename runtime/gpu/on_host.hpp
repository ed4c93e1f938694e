// What accelerated sections gave to the device and the CPU did, because the device could not take it: noted as it
// happens, told in reports.
#pragma once
#include "runtime/abi.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace vr::gpu {

/// Each piece of work with its reason once, and how often. Keeps the first `most` of them; of more it tells that there
/// were. Thread-safe.
class OnHost {
 public:
  /// `site`: where the piece is in the program; null: not known. `what`: "a kernel", `why`: a reason, no sentence.
  /// Without memory for it nothing is noted.
  void add(const vr_site* site, const std::string& what, const std::string& why) noexcept;
  /// A line each, in the order in which they came up.
  std::vector<std::string> lines() const;

 private:
  static constexpr size_t most = 64;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, int64_t>> times_;  ///< "PLACE: WHAT of 'F' ran on the CPU\0WHY": how often
  int64_t others_ = 0;
};

}  // namespace vr::gpu
