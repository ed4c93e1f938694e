// independent_loops: serial loops of kernels whose iterations are independent.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Marks loops of kernels as parallel (CountedLoop::parallel) if their iterations are independent, so that `grid` makes
/// dimensions of them: programs often state only that the outer loop of a nest is parallel. All loops of a block are
/// marked, or none: next to a loop that accumulates along a row, work-items that share the row are better (`stage`,
/// `cooperate`). Where the kernel's iterations are columns, loops that accumulate do not matter. Short constant loops stay as they are. Kernels without faults whose arrays are disjoint.
void independent_loops(Module& m, const PassOptions& options);

}  // namespace vr::lower
