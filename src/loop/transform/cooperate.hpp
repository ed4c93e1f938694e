// cooperate: the work-items of a group share the loops of one iteration.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Launches of kernels whose iterations each reduce long rows get other forms of the kernel, in which a team of
/// work-items (Function::cooperative) runs one iteration: neighbouring work-items take neighbouring elements, and join
/// what they have. Only where the order of the reductions is free (analysis/carried_reduction.hpp), for kernels without
/// faults in front of their last loop whose arrays are disjoint, and on devices with local memory
/// (PassOptions::local_bytes) and groups of cooperative_group work-items. The size of the team depends on the loops'
/// trip counts alone, so that results do not depend on anything else.
void cooperate(Module& m, const PassOptions& options);

}  // namespace vr::lower
