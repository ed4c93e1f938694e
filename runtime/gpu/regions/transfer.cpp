#include "runtime/gpu/regions/transfer.hpp"

#include <algorithm>
#include <cstring>

namespace vr::gpu {
namespace {

/// The box after filling the gaps of its `filled` innermost dimensions.
Lmad with_gaps(const Lmad& box, int32_t filled) {
  Lmad r = box;
  r.rank = box.rank - filled;
  for (int32_t k = r.rank; k < box.rank; ++k) r.run += (box.dim[size_t(k)].extent - 1) * box.dim[size_t(k)].stride;
  return r;
}

/// One command for each point of the outer dimensions, all but the last one.
double cost(const Lmad& box, const CopyRates& rates) {
  double calls = 1;
  for (int32_t k = 0; k + 1 < box.rank; ++k) calls *= double(box.dim[size_t(k)].extent);
  const double rows = box.rank == 0 ? 0 : calls * double(box.dim[size_t(box.rank - 1)].extent);
  return calls * rates.call_ns + rows * rates.row_ns + double(box.bytes()) / rates.bytes_per_ns;
}
double hull_cost(Span hull, const CopyRates& rates) {
  return rates.call_ns + double(hull.bytes()) / rates.bytes_per_ns;
}

void append_commands(const Lmad& box, std::vector<Rows>& commands) {
  auto walk = [&](auto& self, int32_t k, uintptr_t at) -> void {
    if (k + 1 < box.rank) {
      const LmadDim d = box.dim[size_t(k)];
      for (int64_t i = 0; i < d.extent; ++i) self(self, k + 1, at + uintptr_t(i * d.stride));
      return;
    }
    Rows rows{at, box.run, 1, 0};
    if (k < box.rank) {
      rows.rows = box.dim[size_t(k)].extent;
      rows.stride = box.dim[size_t(k)].stride;
    }
    commands.push_back(rows);
  };
  walk(walk, 0, box.base);
}

}  // namespace

UploadPlan plan_upload(const Region& region, const Region& avoid, const CopyRates& rates) {
  UploadPlan plan;
  if (region.empty()) return plan;
  double all = 0;
  for (const Lmad& box : region) {
    Lmad best = box;
    double least = cost(box, rates);
    for (int32_t filled = 1; filled <= box.rank; ++filled) {
      const Lmad wider = with_gaps(box, filled);
      if (const double c = cost(wider, rates); c < least && apart(avoid, wider)) {
        least = c;
        best = wider;
      }
    }
    all += least;
    plan.copied.push_back(best);
  }
  if (const Span hull = hull_of(region); hull_cost(hull, rates) < all && apart(avoid, box_of(hull)))
    plan.copied = {box_of(hull)};
  for (const Lmad& box : plan.copied) append_commands(box, plan.commands);
  return plan;
}

DownloadPlan plan_download(const Region& region, const CopyRates& rates) {
  DownloadPlan plan;
  if (region.empty()) return plan;
  double all = 0;
  bool rows = true;
  for (const Lmad& box : region) {
    all += cost(box, rates);
    rows = rows && box.restricted();
  }
  plan.hull = hull_of(region);
  plan.by_hull = !rows || hull_cost(plan.hull, rates) < all;
  // One block: it has no gaps.
  if (region.size() == 1 && region[0].dense()) plan.by_hull = false;
  if (!plan.by_hull)
    for (const Lmad& box : region) append_commands(box, plan.commands);
  return plan;
}

void copy_box(const Lmad& box, const char* image, uintptr_t image_start) {
  auto walk = [&](auto& self, int32_t k, uintptr_t at) -> void {
    if (k == box.rank) {
      std::memcpy(reinterpret_cast<void*>(at), image + (at - image_start), size_t(box.run));
      return;
    }
    const LmadDim d = box.dim[size_t(k)];
    for (int64_t i = 0; i < d.extent; ++i) self(self, k + 1, at + uintptr_t(i * d.stride));
  };
  walk(walk, 0, box.base);
}

}  // namespace vr::gpu
