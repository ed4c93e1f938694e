// How the bytes of a region are copied between host and device: exactly, or including the gaps between them, whichever
// is faster.
#pragma once
#include "runtime/gpu/regions/lmad.hpp"

namespace vr::gpu {

/// The cost of copies, in nanoseconds.
struct CopyRates {
  double bytes_per_ns, row_ns, call_ns;
  /// Measured on an H200: 51 GB/s from ordinary memory, and 83 ns for each row of a rectangle.
  static constexpr CopyRates gpu() { return {50, 83, 3000}; }
  static constexpr CopyRates cpu() { return {8, 8, 1000}; }
};

/// `rows` times `run` bytes, `stride` bytes apart: one command.
struct Rows {
  uintptr_t base = 0;
  int64_t run = 0, rows = 1, stride = 0;
  int64_t bytes() const { return run * rows; }
};

/// Copies to the device. Bytes in the gaps of the region may be copied as well.
struct UploadPlan {
  std::vector<Rows> commands;
  Region copied;  ///< what they copy; contains the region
};
/// avoid: bytes that are not copied unless they are in `region`.
UploadPlan plan_upload(const Region& region, const Region& avoid, const CopyRates& rates);

/// Copies to the host, which change only the region's bytes.
struct DownloadPlan {
  bool by_hull = false;  ///< the hull is copied to other memory, from which copy_box takes the region's bytes
  Span hull;
  std::vector<Rows> commands;  ///< not by_hull
};
DownloadPlan plan_download(const Region& region, const CopyRates& rates);

/// Copies the box's bytes to their addresses in host memory from `image`, a copy of the bytes from address
/// `image_start` on; bytes between them are not changed.
void copy_box(const Lmad& box, const char* image, uintptr_t image_start);

}  // namespace vr::gpu
