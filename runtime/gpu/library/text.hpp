// OpenCL C of the scans and of sorting. Texts depend only on element types and on the sizes that are constants in them,
// so that a program is built once for each combination.
#pragma once
#include <cstdint>
#include <string>

#include "runtime/gpu/library/scan.hpp"

namespace vr::gpu {

/// Kernels clear, tile_totals, block_totals, scan_tiles, part_totals, part_carries and scan_parts, for leaves of
/// `items` elements. look_back: groups of scan_tiles wait for the totals of groups that began before them, so that
/// tile_totals and block_totals are not needed; only for devices with device::Limits::groups_progress.
std::string scan_text(const ScanForm& form, int64_t items, bool look_back);
/// Whether the program needs float64.
bool scan_needs_float64(const ScanForm& form);

/// How sorting divides lines: a work-group of `group` work-items orders tiles of group x items elements in local
/// memory.
struct SortForm {
  int32_t elem = 0;
  bool positions = false;  ///< positions are sorted along
  int64_t group = 256, items = 16;
  int64_t tile() const { return group * items; }
};
/// For lines of n elements: tiles that are not much longer than those, for groups of at most `max_group` work-items
/// whose local memory stays within 32 KiB.
SortForm sort_form(int32_t elem, bool positions, int64_t n, int64_t max_group);
/// Kernels pack, sort_tile, count_digits, digit_offsets, move_digits, unpack and unpack_positions.
std::string sort_text(const SortForm& form);

}  // namespace vr::gpu
