// Whether the work-items of a group can meet at barriers in a kernel (private to src/loop).
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

/// Whether the kernel, one iteration for each work-item, may be rewritten so that the work-items of a group meet at
/// barriers in its loops: its arrays are disjoint, and up to the end of its last outer loop nothing leaves it
/// (work-items that leave the kernel no longer reach barriers) or is indivisible. faults: whether faults in loops are
/// allowed nevertheless.
bool can_meet(const Function& kernel, bool faults = false);

}  // namespace vr::lower
