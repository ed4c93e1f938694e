// count_loops: while loops with a counter become counted loops.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A loop that runs while a counter is below (above) a bound, and whose last step adds the same number to the counter
/// in each iteration, gets the number of its iterations before it begins. Later transformations then treat it as they
/// treat loops over ranges. It may have other conditions, which become a Break; in kernels only if it contains
/// checks and there are no arrays of a work-item's own. Conditions: the bound
/// and the step are loop invariants and not loaded; the body assigns the counter once and does not continue with the
/// next iteration elsewhere. If the step is not 1 or -1, the original loop stays, for the case that the counter wraps.
/// Does nothing without PassOptions::version_loops.
void count_loops(Module& m, const PassOptions& options);

}  // namespace vr::lower
