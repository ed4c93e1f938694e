// Lanes: which loads and stores of a kernel several neighbouring points can make at once.
#pragma once
#include "lower/lowered.hpp"

namespace vr::lower {

/// The lane that an access of `type` at base + offset is of; null when it is of none. `kernel` has its lanes.
const Lane* lane_of(const Function& kernel, ExprP base, ExprP offset, Scalar type);

/// Finds the lanes of a kernel whose arrays do not overlap. Its points must be independent: none of them
/// faults or leaves early, all have such loads and stores whatever they compute. A kernel without folds gets lanes only
/// where its body is short, for a work-item then does the work of several.
void find_lanes(Function& kernel);

}  // namespace vr::lower
