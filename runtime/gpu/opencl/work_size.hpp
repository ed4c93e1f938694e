// Global and local sizes of a launch (thesis 5.8).
#pragma once
#include <cstddef>
#include <cstdint>

namespace vr::gpu {

struct WorkLimits {
  size_t max_group = 1;             ///< work-items a work-group, the kernel's and the device's
  size_t max_items[3] = {1, 1, 1};  ///< work-items a work-group along each dimension
};
struct WorkSize {
  size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
};

/// Sizes for a domain of `counts` (all > 0, 1 to 3 dimensions): work-groups of 64, 8 x 8 or 4 x 4 x 4, smaller where
/// the limits ask for it. A very large domain gets fewer work-items than points; kernels stride over the rest.
WorkSize work_size(int dims, const int64_t* counts, const WorkLimits& limits);

}  // namespace vr::gpu
