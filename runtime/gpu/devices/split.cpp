#include "runtime/gpu/devices/split.hpp"

#include "runtime/carried.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vr::gpu {
namespace {

void fill(LaunchPart& part, std::vector<Footprint> all) {
  for (Footprint& f : all) {
    const Span hull = hull_of(f.read, f.write);
    part.uses.push_back({std::move(f), hull});
  }
}

class Divider {
 public:
  Divider(const AccessTable* table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
          std::span<const double> shares, size_t fold_group, int64_t max_offset)
      : table_(table),
        kernel_(kernel),
        counts_(counts),
        args_(args),
        shares_(shares),
        fold_group_(fold_group),
        max_offset_(max_offset) {}

  Split cut(int32_t dim) const {
    Split split;
    const bool folds = kernel_.groups_param >= 0;
    const int64_t unit = unit_of(dim);
    const int64_t n = counts_[dim], units = (n + unit - 1) / unit;
    const int64_t rows = folds ? args_[kernel_.groups_param].array->extent[0] : 0;
    double done = 0;
    int64_t lo = 0, row = 0;
    for (size_t k = 0; k < shares_.size(); ++k) {
      done += shares_[k];
      const bool last = k + 1 == shares_.size();
      const int64_t hi = last ? n : std::min<int64_t>(n, std::llround(double(units) * done) * unit);
      const int64_t end = last ? rows : int64_t{std::llround(double(rows) * done)};
      if (hi <= lo || (folds && end <= row)) continue;
      if (!folds && first_item(kernel_, dim, lo) > max_offset_) {
        split.why = too_many_items;
        return split;
      }
      SplitPart part{k, {{dim, lo, hi}, {}, row, end - row}};
      std::vector<Footprint> found = footprints(*table_, kernel_, counts_, args_, part.launch.part);
      if (folds) {
        vr_array mine = *args_[kernel_.groups_param].array;
        mine.data = static_cast<char*>(mine.data) + row * mine.stride[0];
        mine.extent[0] = end - row;
        found[size_t(kernel_.groups_param)] = whole_footprint(mine, true, true);
      }
      fill(part.launch, std::move(found));
      split.parts.push_back(std::move(part));
      lo = hi;
      row = end;
    }
    // The last device may have got nothing.
    if (lo < n || row < rows || split.parts.size() < 2) split.why = "it has too few iterations along the dimension";
    if (split.why.empty()) split.why = conflict(split);
    return split;
  }

  Strips strips(const LaunchPart& part, const Region& blocks) const {
    constexpr int64_t shortest = 8;  // of the part
    Strips found;
    const auto [dim, lo, hi] = part.part;
    const int64_t unit = unit_of(dim);
    const auto piece = [&](int64_t from, int64_t to) {
      LaunchPart p{{dim, from, to}, {}, 0, 0};
      fill(p, footprints(*table_, kernel_, counts_, args_, p.part));
      return p;
    };
    for (int64_t s = unit; s * shortest <= hi - lo; s *= 2) {
      const int64_t last = (hi - s) / unit * unit;
      if (last <= lo + s) break;
      LaunchPart low = piece(lo, lo + s), high = piece(last, hi);
      const Region not_low = unwritten(blocks, low), not_high = unwritten(blocks, high);
      if (!unwritten(not_low, high).empty()) continue;
      const bool need_low = !not_high.empty(), need_high = !not_low.empty();
      found.rest = piece(need_low ? lo + s : lo, need_high ? last : hi);
      if (need_low) found.ends.push_back(std::move(low));
      if (need_high) found.ends.push_back(std::move(high));
      break;
    }
    return found;
  }

  int64_t bytes_read(const Split& split) const {
    int64_t sum = 0;
    for (const SplitPart& part : split.parts)
      for (const PartUse& use : part.launch.uses) sum += bytes(use.footprint.read);
    return sum;
  }

 private:
  int64_t unit_of(int32_t dim) const {
    const bool carried = kernel_.groups_param >= 0 && kernel_.dims == 1;
    return part_unit(*table_, kernel_, dim, carried ? int64_t(fold_group_) * carried_iterations : 1);
  }

  static Region unwritten(Region blocks, const LaunchPart& piece) {
    for (const PartUse& use : piece.uses) blocks = missing(blocks, use.footprint.write);
    return blocks;
  }

  /// Bytes that several parts write. What one part reads and another one writes is no conflict: the iterations are
  /// independent, so that such bytes are not really read.
  static std::string conflict(const Split& split) {
    for (size_t k = 1; k < split.parts.size(); ++k)
      for (const PartUse& mine : split.parts[k].launch.uses)
        for (const Lmad& box : mine.footprint.write)
          for (size_t j = 0; j < k; ++j)
            for (const PartUse& other : split.parts[j].launch.uses)
              if (other.hull.overlaps(mine.hull) && !apart(other.footprint.write, box))
                return mine.footprint.reason.empty() ? "its parts may write the same elements" : mine.footprint.reason;
    return "";
  }

  const AccessTable* table_;
  const vr_kernel& kernel_;
  const int64_t* counts_;
  const vr_value* args_;
  std::span<const double> shares_;
  size_t fold_group_;
  int64_t max_offset_;
};

int64_t sum_to_move(const Split& split, const BytesToMove& to_move) {
  int64_t all = 0;
  for (const SplitPart& part : split.parts) all += to_move(part);
  return all;
}

}  // namespace

LaunchPart whole_launch(const AccessTable* table, const vr_kernel& kernel, const int64_t* counts,
                        const vr_value* args) {
  const int32_t dim = kernel.dims - 1;
  LaunchPart part{{dim, 0, counts[dim]}, {}, 0, 0};
  if (table) {
    fill(part, footprints(*table, kernel, counts, args));
    return part;
  }
  std::vector<Footprint> all(size_t(kernel.param_count));
  for (int32_t p = 0; p < kernel.param_count; ++p)
    if (kernel.params[p].kind == VR_PARAM_ARRAY)
      all[size_t(p)] =
          whole_footprint(*args[p].array, kernel.params[p].written != 0, kernel.params[p].written == VR_WRITTEN_FRESH);
  fill(part, std::move(all));
  return part;
}

Strips plan_strips(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                   const LaunchPart& part, const Region& blocks) {
  if (kernel.groups_param >= 0 || blocks.empty()) return {};
  return Divider(&table, kernel, counts, args, {}, 1, INT64_MAX).strips(part, blocks);
}

Split plan_split(const AccessTable* table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                 std::span<const double> shares, int64_t least, size_t fold_group, int64_t max_offset,
                 const BytesToMove& to_move) {
  const Divider divider(table, kernel, counts, args, shares, fold_group, max_offset);
  const auto on_one = [&](const std::string& why) {
    SplitPart part{0, whole_launch(table, kernel, counts, args)};
    size_t best = 0;
    int64_t fewest = INT64_MAX;
    for (part.device = 0; part.device < shares.size(); ++part.device) {
      const int64_t moved = to_move(part);
      if (moved >= fewest) continue;
      fewest = moved;
      best = part.device;
    }
    part.device = best;
    Split one;
    one.parts.push_back(std::move(part));
    one.why = why;
    return one;
  };
  if (!table) return on_one("it has no description of its accesses");
  Split best;
  std::string why;
  double fewest = std::numeric_limits<double>::infinity();
  // Neighbours along the last dimension usually are furthest from each other in memory.
  const int32_t first = kernel.groups_param >= 0 ? kernel.dims - 1 : 0;
  for (int32_t dim = kernel.dims; dim-- > first;) {
    Split split = divider.cut(dim);
    if (!split.why.empty()) {
      if (why.empty()) why = std::move(split.why);
      continue;
    }
    // Parts along inner dimensions are interleaved in memory: what they exchange has gaps.
    const double cost =
        double(divider.bytes_read(split) + sum_to_move(split, to_move)) * (best.parts.empty() ? 1 : 1.25);
    if (cost >= fewest) continue;
    fewest = cost;
    best = std::move(split);
  }
  double items = 1;
  for (int32_t d = 0; d < kernel.dims; ++d) items *= double(counts[d]);
  const bool small = items < double(least);
  if (best.parts.empty()) return on_one(small ? "" : why);
  if (!small) return best;
  Split one = on_one("");
  return sum_to_move(one, to_move) <= sum_to_move(best, to_move) ? one : best;
}

}  // namespace vr::gpu
