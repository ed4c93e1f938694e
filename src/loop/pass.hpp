// The common interface of loop transformations: each turns a module of the loop form into one with the same meaning, and is
// a file of transform/ and a row of the table in pipeline/loop_table.cpp.
#pragma once
#include "loop/form.hpp"

#include <velociraptor/defaults.hpp>

namespace vr::lower {

/// What loop transformations need to know of the target.
struct PassOptions {
  bool parallel = false;      ///< there are threads: loops become tasks
  bool device = false;        ///< arguments may be on a device: host code synchronises them first
  bool lanes = false;         ///< work-items of the device should load several consecutive elements at once
  /// register_tile: the tiled kernel runs if at least so many work-items remain and the domain is two tiles wide; 1: always, 0: never.
  int64_t tiles = 0;
  /// stage: bytes of local memory that the rows of a work-group may take; 0: no rows.
  int64_t local_bytes = 0;
  int32_t team = 4;  ///< stage: work-items for each iteration of a kernel; the device allows groups of row_group times as many
  int64_t group = 256;       ///< work-items that a work-group may have
  int64_t tile_points = 64;  ///< most iterations of such a work-item
  bool version_loops = true;  ///< loops and kernels may get a second version, which runs if a guard holds
  /// Elementary operations in an array expression from which on a second thread is worthwhile.
  int64_t parallel_threshold = default_parallel_threshold;
};

}  // namespace vr::lower
