// kernel_version: versions of kernels with fewer checks, behind a guard that the host evaluates.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Each launch in an Entry function that is not `plain` gets a second version of its kernel (beyond thesis 5.6, 5.8): without
/// the checks that hold for all work-items, for disjoint arrays, with 32-bit fields. A guard before the launch selects the
/// version. Does nothing without PassOptions::version_loops.
void kernel_version(Module& m, const PassOptions& options);

}  // namespace vr::lower
