// Implicit parallelism (thesis 4.5.3): loops over the elements of array expressions become tasks where they are long.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In every Entry function: an independent loop over elements gets a second form as a parallel loop, which runs where the
/// number of elements, known at run time, makes it worth while; a loop over chunks becomes one. Results are the same to the
/// bit. Inside of parallel loops (at run time) nothing changes. Does nothing unless the target is parallel.
void parallelise(Module& m, const PassOptions& options);

}  // namespace vr::lower
