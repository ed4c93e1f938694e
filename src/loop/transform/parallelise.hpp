// parallelise: implicit parallelism (thesis 4.5.3). Long loops over the elements of array expressions become tasks.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In every Entry function: an independent loop over elements gets a second version as a parallel loop, which runs if the
/// number of elements, known at run time, makes it pay; a loop over chunks becomes a parallel loop. Results are equal to the
/// bit. Inside parallel loops (at run time) nothing changes. Does nothing unless the target is parallel.
void parallelise(Module& m, const PassOptions& options);

}  // namespace vr::lower
