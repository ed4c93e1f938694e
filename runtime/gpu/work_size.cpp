#include "runtime/gpu/work_size.hpp"

#include "runtime/abi.h"

#include <algorithm>

namespace vr::gpu {

namespace {

// The most work-items along one dimension; further iterations are reached by striding. Keeps drivers' 32-bit sums in
// bounds.
constexpr int64_t most_items[] = {int64_t{1} << 30, int64_t{1} << 15, int64_t{1} << 10};
// Maximum number of work-items over all dimensions for kernels whose work-items stride: enough to fill any device, and
// in a huge domain each work-item soon reaches its fault.
constexpr int64_t most_strided = int64_t{1} << 22;
constexpr int64_t most_groups = 65535;  // NVIDIA's limit, for all dimensions except dims[0]
constexpr size_t gpu_groups[3][3] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
constexpr size_t cpu_groups[3][3] = {{256, 1, 1}, {64, 4, 1}, {64, 2, 2}};
constexpr size_t row_groups[3][3] = {{1, 1, 1}, {1, 8, 1}, {1, 4, 2}};

}  // namespace

WorkSize work_size(int dims, const int64_t* counts, const WorkLimits& limits) {
  int64_t items[3] = {1, 1, 1};
  for (int d = 0; d < dims; ++d) items[d] = std::min(counts[d], most_items[dims - 1]);
  for (int d = 0; d < dims; ++d)
    while (items[d] < counts[d] && items[0] * items[1] * items[2] > most_strided) items[d] /= 2;
  // With four work-groups per core, the cores finish at about the same time.
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

WorkSize covering_size(int dims, const int64_t* counts, int64_t points, int group, const WorkLimits& limits) {
  constexpr size_t in_step = 32;
  constexpr size_t square_group[3] = {16, 16, 1}, large_groups[2][3] = {{128, 1, 1}, {32, 4, 1}};
  int64_t items[3] = {1, 1, 1};
  for (int d = 0; d < dims; ++d) items[d] = d == 0 ? (counts[0] + points - 1) / points : counts[d];
  const bool square = group == VR_GROUP_SQUARE && dims >= 2 && !limits.cpu;
  // Few such work-items fit on a core at the same time: smaller groups use it better.
  const bool large = group == VR_GROUP_LARGE && dims <= 2 && !limits.cpu;
  const auto& wanted = square  ? square_group
                       : large ? large_groups[dims - 1]
                               : (limits.cpu ? cpu_groups : gpu_groups)[dims - 1];

  WorkSize w;
  for (int d = 0; d < dims; ++d) w.local[d] = std::min(wanted[d], limits.max_items[d]);
  auto all = [&] { return w.local[0] * w.local[1] * w.local[2]; };
  for (int d = dims - 1; d >= 0; --d)
    while (all() > limits.max_group && w.local[d] > 1) w.local[d] /= 2;
  // Halve the group along dimensions with too few iterations and double it along another one.
  for (int d = 0; d < dims; ++d)
    while (w.local[d] > 1 && int64_t(w.local[d]) / 2 >= items[d]) {
      w.local[d] /= 2;
      if (dims == 1) continue;
      const int other = d == 0 ? 1 : 0;
      if (int64_t(w.local[other]) < items[other] && w.local[other] * 2 <= limits.max_items[other]) w.local[other] *= 2;
    }
  // Every compute unit should get work-groups: with few work-items, smaller groups are used, but not smaller than a
  // warp.
  const auto groups = [&] {
    int64_t n = 1;
    for (int d = 0; d < dims; ++d) n *= (items[d] + int64_t(w.local[d]) - 1) / int64_t(w.local[d]);
    return n;
  };
  if (!limits.cpu)
    for (int d = dims - 1; d >= 0; --d)
      while (w.local[d] > 1 && all() > in_step && groups() < 2 * limits.compute_units) w.local[d] /= 2;
  for (int d = 1; d < dims; ++d)
    while ((items[d] + int64_t(w.local[d]) - 1) / int64_t(w.local[d]) > most_groups &&
           w.local[d] * 2 <= limits.max_items[d] && (w.local[0] > 1 || all() * 2 <= limits.max_group)) {
      w.local[d] *= 2;
      if (all() > limits.max_group) w.local[0] /= 2;
    }
  for (int d = 0; d < dims; ++d) {
    const auto local = int64_t(w.local[d]);
    w.global[d] = size_t((items[d] + local - 1) / local * local);
  }
  return w;
}

WorkSize team_size(int dims, const int64_t* counts, int team, int iterations) {
  WorkSize w;
  w.local[0] = size_t(iterations * team);
  w.global[0] = size_t((counts[0] + iterations - 1) / iterations) * w.local[0];
  for (int d = 1; d < dims; ++d) w.global[d] = size_t(counts[d]);
  return w;
}

WorkSize private_size(int dims, const int64_t* counts, bool slices, const WorkLimits& limits) {
  constexpr int64_t each = 16, least = 256, most = int64_t{1} << 18;
  constexpr size_t group = 256;
  int64_t all = 1;
  for (int d = 0; d < dims; ++d) all *= counts[d];
  int64_t left = std::clamp(all / each, least, most);
  WorkSize w;
  w.local[0] = std::min({group, limits.max_group, limits.max_items[0]});
  const auto local = int64_t(w.local[0]);
  const auto share = [&](int d, int64_t count) {
    int64_t items = std::clamp<int64_t>(left, 1, count);
    if (d == 0) items = (items + local - 1) / local * local;
    w.global[d] = size_t(items);
    left /= items;
  };
  if (slices) {
    --dims;
    share(dims, std::min(counts[dims], most_groups));
  }
  for (int d = 0; d < dims; ++d) share(d, counts[d]);
  return w;
}

WorkSize fold_size(int64_t groups, const WorkLimits& limits) {
  size_t local = 1;
  while (local * 2 <= std::min({size_t{VR_FOLD_GROUP}, limits.max_group, limits.max_items[0]})) local *= 2;
  WorkSize w;
  w.local[0] = local;
  w.global[0] = local * size_t(groups);
  return w;
}

}  // namespace vr::gpu
