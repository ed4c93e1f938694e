// What loop transformations share: a module of the loop form in, one with the same meaning out. Each is a file of
// transform/ and a row of the table in pipeline/loop_table.cpp.
#pragma once
#include "loop/form.hpp"

#include <velociraptor/defaults.hpp>

namespace vr::lower {

/// What loop transformations need to know of the target.
struct PassOptions {
  bool parallel = false;      ///< there are threads: loops become tasks
  bool device = false;        ///< arguments may be on a device: host code synchronises them first
  bool lanes = false;         ///< the device's work-items had better load several neighbours at once
  /// Work-items of several iterations each run where so many of them are left and the domain is some tiles wide; 1: always, 0: never.
  int64_t tiles = 0;
  int64_t tile_points = 64;  ///< most iterations of such a work-item
  bool version_loops = true;  ///< loops and kernels may get a second form, which runs where a guard holds
  /// Elementary operations in an array expression that are worth a second thread.
  int64_t parallel_threshold = default_parallel_threshold;
};

}  // namespace vr::lower
