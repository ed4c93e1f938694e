// strip: serial loops of kernels run in strips, which load and store consecutive elements as vectors.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Innermost loops of kernels with loads or stores of unit stride along the loop, in rows that differ between work-items, run
/// in strips of several iterations, which load and store vectors of 16 bytes. Iterations, and the operations of each, keep their
/// order. Only kernels without faults whose arrays are disjoint; only for devices that benefit (PassOptions::lanes).
void strip(Module& m, const PassOptions& options);

}  // namespace vr::lower
