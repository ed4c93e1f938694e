// Serial loops of kernels run in strips, which load and store consecutive elements as vectors.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Innermost loops of kernels that load or store with unit stride along the loop, in rows that work-items have each for
/// themselves, run in strips of several iterations, which load and store vectors of 16 bytes. Iterations, and the operations
/// of each, keep their order. Kernels without faults whose arrays are disjoint; only for devices that gain (PassOptions::lanes).
void strip(Module& m, const PassOptions& options);

}  // namespace vr::lower
