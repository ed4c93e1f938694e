// sink_loops: serial loops on the host go into the kernel that they launch.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A loop of the host that launches a kernel in each iteration (time steps of independent systems, stages of transforms
/// of rows) launches it rarely, with a loop inside, if no iteration of the kernel accesses what another one stores: the
/// order of the launches matters for each iteration of the kernel alone. The loop goes into the kernel's parallel loops
/// where that is true of them as well, else around them if a group can share them then (share_loops).
///
/// What the loop does on the host, besides the launch, is to compute numbers without faults; the kernel computes those
/// that it needs again, from the values at the first of its iterations. Kernels without checks only: a fault of a later
/// iteration must not come before that of an earlier one. The host runs the loop first, so that one that does not end
/// can be interrupted, and launches at most 256 iterations at once.
void sink_loops(Module& m, const PassOptions& options);

}  // namespace vr::lower
