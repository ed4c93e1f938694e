// promote: an element that a loop of a kernel updates again and again becomes a variable.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Register promotion (Cooper and Torczon, Engineering a Compiler, 8.4). In kernels without checks, an array of which a
/// loop accesses a single element, and which it stores to in each iteration (no other iteration of the kernel's domain
/// accesses that element then): the element is loaded into a variable before the loop, the loop uses the variable, and
/// the element is stored after the loop if the loop has an iteration. Not changed: arrays that overlap others, accesses
/// to several elements, atomic operations, loops that leave the kernel.
void promote(Module& m, const PassOptions& options);

/// On the host: an element that is stored in front of a loop and updated in it becomes a variable, which is stored
/// after the loop. All accesses in between are to this element or have another alias set, and nothing there may fault.
/// The loop is then a sum of scalars, of which `jam` runs several at a time.
void promote_stored(Module& m, const PassOptions& options);

}  // namespace vr::lower
