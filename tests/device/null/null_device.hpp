// A driver that counts commands and computes nothing. It copies no bytes and reads no host memory, so arrays may be
// larger than this machine's memory.
#pragma once
#include "runtime/device/device.hpp"

#include <atomic>

namespace vr::test {

struct NullCounts {
  std::atomic<int64_t> buffers{0}, bytes{0}, most_bytes{0};  ///< of buffers that exist, and the most at a time
  std::atomic<int64_t> copies_up{0}, bytes_up{0}, copies_down{0}, bytes_down{0};
  std::atomic<int64_t> copies{0}, fills{0}, launches{0}, waits{0}, builds{0}, objects{0};
  std::atomic<int64_t> group{0};    ///< work-items in a group of the last launch
  std::atomic<bool> broken{false};  ///< set by a test: no command runs any more
};
struct NullLimits {
  size_t max_group = 1024;  ///< work-items in a group, except for the parts of reductions, which may have 1024
  int64_t max_offset = INT64_MAX;
};

/// A GPU with this much memory. A kernel has as many arguments as its source text declares.
std::unique_ptr<device::Device> open_null_device(std::shared_ptr<NullCounts> counts, int64_t memory_bytes,
                                                 const NullLimits& limits = {});

}  // namespace vr::test
