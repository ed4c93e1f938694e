// forward: loads in kernels take the value that was just stored there.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A load of an element that the same block of a kernel has stored takes the stored value instead, if nothing in between may have
/// changed the element or the variables of its address. Later transformations then find fewer loads of arrays that the kernel writes.
void forward(Module& m, const PassOptions& options);

}  // namespace vr::lower
