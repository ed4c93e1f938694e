// Global and local sizes of a launch (thesis 5.8).
#pragma once
#include <cstddef>
#include <cstdint>

namespace vr::gpu {

struct WorkLimits {
  size_t max_group = 1;             ///< work-items per work-group, by the kernel's and the device's limits
  size_t max_items[3] = {1, 1, 1};  ///< work-items per work-group along each dimension
  bool cpu = false;                 ///< a CPU device
  int compute_units = 1;
};
struct WorkSize {
  size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
};

/// Sizes for a domain of `counts` (all > 0, 1 to 3 dimensions) of a kernel whose work-items stride: on a GPU
/// work-groups of 256, 32 x 8 or 32 x 4 x 2 (with the thesis' 64 and 8 x 8 a warp accesses two separate ranges),
/// smaller if the limits require it. A very large domain gets fewer work-items than iterations. On a CPU a work-item
/// computes a whole row along dims[0] if there are enough rows for all cores: the device's compiler vectorises the loop
/// over the row, and memory is read in order (2048 x 2048 stencil on PoCL: 4 ms against 10 with 8 x 8).
WorkSize work_size(int dims, const int64_t* counts, const WorkLimits& limits);

/// Sizes for a kernel with a work-item for each `points` iterations along dims[0] (at most 2^30 work-items there; 2^21
/// along the second of two dimensions; 2^18 along the second and third of three): groups as above, narrower along a
/// dimension with fewer iterations, 16 x 16 if the time of a work-item depends on data (a warp's iterations are closer
/// together), 128 or 32 x 4 if work-items need many registers (a product of matrices in tiles of 8 x 8 on an H100: 17.9
/// TFLOP/s against 12.0 in groups of 32 x 8; the nearest of 64 points on an H200: 0.79 ms against 0.89), and wider
/// along dimensions where there would be more than 65,535 groups.
/// On a CPU the device's compiler vectorises over the work-items along dims[0]. `group`: VR_GROUP_... (runtime/abi.h).
WorkSize covering_size(int dims, const int64_t* counts, int64_t points, int group, const WorkLimits& limits);

/// Sizes for a kernel with `team` work-items for each iteration: work-groups of `iterations` along dims[0]
/// (vr_kernel::team and points). At most 2^30 work-items there; the device must allow such groups.
WorkSize team_size(int dims, const int64_t* counts, int team, int iterations);

/// Sizes for a kernel whose work-items stride and whose work-groups have copies of arrays, which they add up at the end
/// (VR_POINTS_PRIVATE): a work-item for 16 iterations, at least 256 and at most 2^18 altogether if there are as many
/// iterations. slices (VR_POINTS_SLICES): at least one group for each iteration of the last of several dimensions.
WorkSize private_size(int dims, const int64_t* counts, bool slices, const WorkLimits& limits);

/// Sizes for a reduction kernel: `groups` work-groups whose size is a power of two, at most VR_FOLD_GROUP work-items.
WorkSize fold_size(int64_t groups, const WorkLimits& limits);

}  // namespace vr::gpu
