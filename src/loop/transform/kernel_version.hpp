// Launches of kernels, with fewer checks where the host finds that it may.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Each launch of an Entry function that is not `plain` gets a second form of its kernel (past thesis 5.6, 5.8): without
/// the checks that hold for all work-items, for disjoint arrays, with 32-bit fields; a guard before the launch says which
/// of the two runs. Does nothing without PassOptions::version_loops.
void kernel_version(Module& m, const PassOptions& options);

}  // namespace vr::lower
