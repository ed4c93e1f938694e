// unroll: loops of kernels with few iterations, whose number is known, become straight code.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In kernels without checks, a loop with constant bounds becomes its iterations one after another, with the loop variable as a
/// constant, if they have at most 1000 nodes of expressions together. Subscripts then differ by constants, so that the transformations
/// that follow see which elements are loaded twice and which are consecutive. Inner loops come first.
/// Not changed: loops that are left by a jump, and parallel ones.
void unroll(Module& m, const PassOptions& options);

/// In functions of the host, an inner loop of at most 16 iterations, whose number is known, becomes straight code, so
/// that the loop around it is an innermost loop for the transformations and the vectoriser of the backend. Together the
/// iterations have at most 400 nodes of expressions. Not changed: loops that Break or Continue leave, and loops with
/// inner loops.
void unroll_inner(Module& m, const PassOptions& options);

}  // namespace vr::lower
