#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Compares the byte ranges of a loop nest's arrays in front of the nest, and tells its loops (CountedLoop::disjoint)
/// the result, which their versions without checks need (version, hoist_guards). Thesis 5.4, at run time.
void disjoint_arrays(Module& m, const PassOptions& options);

}  // namespace vr::lower
