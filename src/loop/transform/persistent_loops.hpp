// persistent_loops: serial loops on the host whose launches are short go into one kernel.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A loop of the host whose iterations launch kernels of few iterations, which depend on those of the iteration before
/// (anti-diagonals of a table, time steps of a short vector, elimination in a small matrix), becomes a kernel of one
/// iteration with the loop inside, which a single work-group shares (share_loops) and in which it meets at barriers
/// instead of waiting for launches (persistent threads: Gupta, Stuart and Owens 2012).
///
/// The kernels compute without loops of unknown length. What the host's loop does besides is to compute numbers; the
/// kernel computes those that it needs again, from the values at the first of its iterations. In each iteration the
/// host decides whether the launches are short and whether versions of kernels without checks hold; if not, it launches
/// what was deferred, and then the kernels themselves. At most 512 iterations are deferred, so that loops can be
/// interrupted. Kernels may have checks: the group runs one iteration of the loop after the other, and leaves at the
/// first fault.
void persistent_loops(Module& m, const PassOptions& options);

}  // namespace vr::lower
