// register_tile: several iterations of a kernel's domain in each work-item, with their variables in registers.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels without checks whose serial loops load elements that do not depend on one of the first two dimensions get a second
/// version, in which each work-item runs a tile of the domain (unroll and jam; unPython 4.4): the loops are run once for the tile,
/// an element loaded in them serves all its iterations, and each iteration has its own copies of the variables, in registers.
/// Each iteration's operations keep their order. Along dims[0] a tile's iterations are `warp` apart, so that consecutive work-items
/// load consecutive elements. The host launches this version if PassOptions::tiles work-items remain.
/// Not changed: kernels that may fault or leave a loop early, reductions, kernels with scratch memory or atomic operations, and
/// loops whose bounds depend on the dimensions.
void register_tile(Module& m, const PassOptions& options);

}  // namespace vr::lower
