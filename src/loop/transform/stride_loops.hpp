// stride_loops: loops of which only every n-th iteration does something make these iterations alone.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A loop over k whose body is a condition `(a + k) % 4 == 0` (an interpolation that inserts zeros, a transposed
/// convolution) runs over these k: first, first + 4, ... The divisor is a power of two, so that it does not matter
/// whether a + k wraps; the remainder may be that of truncation or of floor division, or bits of the number. A part
/// of the condition that is a remainder and does not depend on the loop moves in front of it, and may decide about the
/// loop around it. Kernels only. Iterations that are left out do nothing: in front of the condition they only compute
/// numbers that nothing else uses, which cannot fail.
void stride_loops(Module& m, const PassOptions& options);

}  // namespace vr::lower
