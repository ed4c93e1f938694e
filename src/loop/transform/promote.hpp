// promote: an element that a loop of a kernel updates again and again becomes a variable.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Register promotion (Cooper and Torczon, Engineering a Compiler, 8.4). In kernels without checks, an array that a loop accesses at
/// one place alone, which does not change in the loop, and stores to in each iteration (no other iteration of the kernel's domain
/// accesses it then): the element is loaded before the loop into a variable, which
/// the loop uses, and stored after it, if the loop has an iteration.
/// Not changed: arrays that overlap others, accesses at several places, atomic operations, loops that leave the kernel.
void promote(Module& m, const PassOptions& options);

}  // namespace vr::lower
