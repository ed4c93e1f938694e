// unroll: loops of kernels with few iterations, whose number is known, become straight code.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In kernels without checks, a loop with constant bounds becomes its iterations one after another, with the loop variable as a
/// constant, if they have at most 1000 nodes of expressions together. Subscripts then differ by constants, so that the transformations
/// that follow see which elements are loaded twice and which are consecutive. Inner loops come first.
/// Not changed: loops that are left by a jump, and parallel ones.
void unroll(Module& m, const PassOptions& options);

}  // namespace vr::lower
