// version: copies of innermost loops without checks, behind a guard.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// An innermost loop that may be versioned (CountedLoop::version) gets a second version without the checks that cannot fail in
/// any of its iterations; a guard before it selects the version (beyond thesis 5.6). Faults are the same as before: the loop
/// with all checks reports them. Subscripts that are read from arrays are checked by a loop in front (an inspector) if the
/// rest can then be vectorised. Does nothing without PassOptions::version_loops.
void version(Module& m, const PassOptions& options);

}  // namespace vr::lower
