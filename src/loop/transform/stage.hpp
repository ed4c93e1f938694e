// stage: work-groups load and store parts of rows together, through local memory.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Launches of kernels whose work-items walk along rows of their own get another form of the kernel, for long rows. Its work-groups
/// copy the next elements of all their rows to local memory together, neighbouring work-items neighbouring elements, while they
/// compute with those before; stores go the same way. Iterations, and the operations of each, keep their order. Only kernels
/// without faults whose arrays are disjoint, and loops that all work-items run in step; only for devices with local memory
/// (PassOptions::local_bytes).
void stage(Module& m, const PassOptions& options);

}  // namespace vr::lower
