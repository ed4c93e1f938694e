#include "runtime/gpu/work_size.hpp"

#include <algorithm>

namespace vr::gpu {

namespace {

// Work-items along one dimension; more points than that are strided over. Keeps drivers' 32-bit sums in bounds.
constexpr int64_t most_items[] = {int64_t{1} << 30, int64_t{1} << 15, int64_t{1} << 10};
constexpr size_t gpu_groups[3][3] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
constexpr size_t cpu_groups[3][3] = {{256, 1, 1}, {64, 4, 1}, {64, 2, 2}};
constexpr size_t row_groups[3][3] = {{1, 1, 1}, {1, 8, 1}, {1, 4, 2}};

}  // namespace

WorkSize work_size(int dims, const int64_t* counts, const WorkLimits& limits) {
  int64_t items[3] = {1, 1, 1};
  for (int d = 0; d < dims; ++d) items[d] = std::min(counts[d], most_items[dims - 1]);
  // Four work-groups a core let the cores finish together.
  const int64_t rows = items[1] * items[2];
  const bool by_rows = limits.cpu && dims > 1 && rows >= int64_t{8} * 4 * limits.compute_units;
  if (by_rows) items[0] = 1;
  const auto& wanted = (by_rows ? row_groups : limits.cpu ? cpu_groups : gpu_groups)[dims - 1];

  WorkSize w;
  for (int d = 0; d < dims; ++d) w.local[d] = std::min(wanted[d], limits.max_items[d]);
  // Halve the last dimensions first: neighbours along dims[0] are neighbours in memory.
  for (int d = dims - 1; d >= 0; --d)
    while (w.local[0] * w.local[1] * w.local[2] > limits.max_group && w.local[d] > 1) w.local[d] /= 2;
  for (int d = 0; d < dims; ++d) {
    const auto local = int64_t(w.local[d]);
    w.global[d] = size_t((items[d] + local - 1) / local * local);
  }
  return w;
}

WorkSize fold_size(int64_t groups, const WorkLimits& limits) {
  size_t local = 1;
  while (local * 2 <= std::min({fold_group, limits.max_group, limits.max_items[0]})) local *= 2;
  WorkSize w;
  w.local[0] = local;
  w.global[0] = local * size_t(groups);
  return w;
}

}  // namespace vr::gpu
