// Several iterations of a kernel's domain for each work-item.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels without checks whose serial loops load elements that do not depend on one of the first two dimensions get a second form, in which
/// each work-item runs a tile of the domain at once (unroll and jam; unPython 4.4): the loops are run once for the tile, what is loaded in
/// them serves all of its iterations, and the numbers that each iteration computes are variables of its own, in registers. Each iteration's
/// operations keep their order. Along dims[0] a tile's iterations are `warp` apart, so that neighbouring work-items load neighbouring
/// elements. The host launches it where PassOptions::tiles work-items are left.
/// Left as they are: kernels that may fault or leave a loop early, reductions, kernels with scratch memory or atomic operations, and loops whose
/// bounds depend on the dimensions.
void register_tile(Module& m, const PassOptions& options);

}  // namespace vr::lower
