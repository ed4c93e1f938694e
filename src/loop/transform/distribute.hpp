// distribute: parts of kernels' serial loops become kernels of their own.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Loop distribution with scalar expansion (Allen and Kennedy, Optimizing Compilers for Modern Architectures, 5.3 and
/// 6.2.1) of a serial loop at the top level of a kernel whose arrays are disjoint. Two kinds of parts go first, and
/// store what the rest of the loop needs in an array:
/// - an inner loop that loads elements along the kernel's dimension and along the serial loop (distances of all pairs,
///   say), and what comes before it: the part becomes a kernel of two dimensions, which can be tiled as products are.
///   The array has a limited size, so that the kernel's iterations run in strips;
/// - expensive functions of values that are the same in all iterations of the kernel (weights, say), which become a
/// kernel of
///   one dimension.
/// Every operation keeps its operands and its order. If the host finds that the sizes are too small, the original
/// kernel runs. Not changed: loops whose trip count the host does not know, parts that store, fault, or use what
/// another iteration assigns.
void distribute(Module& m, const PassOptions& options);

}  // namespace vr::lower
