#include "runtime/gpu/opencl/work_size.hpp"

#include <algorithm>

namespace vr::gpu {

// Work-items along one dimension; more points than that are strided over. Keeps 32-bit drivers and totals in bounds.
constexpr int64_t most_items[] = {int64_t{1} << 24, int64_t{1} << 14, int64_t{1} << 9};

WorkSize work_size(int dims, const int64_t* counts, const WorkLimits& limits) {
  static constexpr size_t wanted[3][3] = {{64, 1, 1}, {8, 8, 1}, {4, 4, 4}};
  WorkSize w;
  for (int d = 0; d < dims; ++d) {
    w.local[d] = std::min(wanted[dims - 1][d], limits.max_items[d]);
  }
  // Halve the last dimensions first: neighbours along dims[0] are neighbours in memory.
  for (int d = dims - 1; d >= 0; --d)
    while (w.local[0] * w.local[1] * w.local[2] > limits.max_group && w.local[d] > 1) w.local[d] /= 2;
  for (int d = 0; d < dims; ++d) {
    const int64_t items = std::min(counts[d], most_items[dims - 1]);
    const auto local = int64_t(w.local[d]);
    w.global[d] = size_t((items + local - 1) / local * local);
  }
  return w;
}

}  // namespace vr::gpu
