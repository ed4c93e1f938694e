// split_sums: long reductions of a kernel with few iterations.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A kernel with few iterations, each of which reduces many elements, gets a form in which the iterations of the
/// reduction's inner loop are dealt out to parts that are reduced at the same time, and the parts are then joined;
/// `grid` makes kernels of both steps. Only where the order of the reduction is free (analysis/carried_reduction.hpp).
/// The number of parts depends on the trip counts alone, so that results do, too. Kernels without faults whose arrays
/// are disjoint, on devices with local memory (PassOptions::local_bytes), where `cooperate` does not occupy the device.
void split_sums(Module& m, const PassOptions& options);

}  // namespace vr::lower
