// Copies of innermost loops without checks, behind a guard.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// An innermost loop that may be versioned (CountedLoop::version) gets a second form without the checks that cannot fail in
/// any of its iterations; a guard before it says which of the two runs (past thesis 5.6). Faults stay exact: the loop with
/// all checks has them. Subscripts that are read from arrays are looked at by a loop of their own before (an inspector)
/// where the rest can then be vectorised. Does nothing without PassOptions::version_loops.
void version(Module& m, const PassOptions& options);

}  // namespace vr::lower
