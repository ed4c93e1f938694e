// Histograms and other scattered sums of kernels: work-groups add to copies of their own.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Gives a kernel that only adds to elements of an array, atomically and at subscripts that may depend on data, a form
/// in which each work-group has a copy of the array in local memory (Function::rows of a kernel without a team) and
/// adds that to the array at its end. The host launches it if the array fits, and if there are enough iterations.
///
/// Integers: results are equal, since sums wrap. Floats: only where the kernel may reassociate. Counts of 64 bits by
/// constants have copies of 32 bits; the work-items of a group run too few iterations for them to wrap. Not changed:
/// kernels that may not have disjoint arrays, that leave an iteration early, reductions, kernels of several iterations
/// a work-item.
void privatise(Module& m, const PassOptions& options);

}  // namespace vr::lower
