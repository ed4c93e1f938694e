// lanes: loads and stores that a work-item makes for several consecutive iterations of a kernel at once.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// For devices that benefit (PassOptions::lanes): finds the lanes of all kernels whose arrays are disjoint and whose iterations
/// neither fault nor leave early, and all make those loads and stores unconditionally. A kernel without reductions gets lanes
/// only if its body is short, because a work-item then does the work of several.
void lanes(Module& m, const PassOptions& options);

/// Finds the lanes of one kernel, whose arrays must be disjoint.
void find_lanes(Function& kernel);

}  // namespace vr::lower
