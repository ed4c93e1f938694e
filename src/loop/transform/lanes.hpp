// Lanes: which loads and stores of a kernel several neighbouring points make at once.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// On targets that like them (PassOptions::lanes): lanes of all kernels whose arrays are disjoint and whose points are
/// independent: none of them faults or leaves early, all have such loads and stores whatever they compute. A kernel
/// without folds gets them only where its body is short, for a work-item then does the work of several.
void lanes(Module& m, const PassOptions& options);

/// Finds the lanes of one kernel, whose arrays must be disjoint.
void find_lanes(Function& kernel);

}  // namespace vr::lower
