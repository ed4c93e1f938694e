// Scans (cumsum, cumprod, cummax, cummin) of accelerated sections: the order in which elements are joined, and the
// computation on the CPU for calls that the device cannot take.
//
// Joining floats by + and * rounds, so that the result depends on the order. The order depends only on the extents and
// on which dimension has the smallest stride, so every device and the CPU give the same bits. float32 is joined in
// float64 and rounded once for each result, as in `sum`.
#pragma once
#include <cstdint>

#include "runtime/gpu/library/lines.hpp"

namespace vr::gpu {

/// The operation and the type in which elements are joined.
struct ScanForm {
  int32_t fold = 0;  ///< VR_SCAN_SUM ... of runtime/abi.h, without VR_SCAN_OMIT_NAN
  bool omit_nan =
      false;  ///< extrema: a NaN gives way to any number; otherwise all results from the first NaN on are that NaN
  int32_t from = 0, to = 0;  ///< element codes of the array and of the result
  bool extremum() const;
  /// The element code in which elements are joined: for extrema the array's own, else VR_FLOAT64 or VR_UINT64, which
  /// wraps as every integer type does.
  int32_t joined() const;
};

/// How a line is divided into parts. In every case the elements of a leaf are joined from the first to the last.
struct ScanTree {
  /// Leaves of `items` elements; `leaves` of them make a tile and are joined by a balanced binary tree, whose partial
  /// results are those of the scan by Hillis and Steele. `block` tiles have a total, so many blocks again, and so on:
  /// what is in front of a tile is the join of the largest of these that fit, of which each level is joined by a
  /// balanced tree.
  static constexpr int64_t leaves = 128, block = 32;
  int64_t items = 4;
  int64_t tile() const { return items * leaves; }
  int64_t tiles(int64_t n) const { return (n + tile() - 1) / tile(); }  ///< of a line of n elements
  /// > 0: no tiles, but this many parts of `part` elements; their totals are joined from the first to the last. For
  /// lines whose neighbours are closer in memory than their own elements, and for short lines.
  int64_t parts = 0, part = 0;
};
ScanTree scan_tree(const Lines& lines);
/// How many totals a line of so many tiles has: of tiles, of full blocks of tiles, of full blocks of these, and so on.
/// Lines of one tile have none.
int64_t total_count(int64_t tiles);

/// Scans every line. The arrays do not overlap. Throws std::bad_alloc.
void scan_on_host(const ScanForm& form, const Lines& lines, const void* from, void* to);

}  // namespace vr::gpu
