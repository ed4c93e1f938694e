// narrow_integers: integers are computed with as few bits as their values need.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Programs compute with elements of 8 and 16 bits as 64-bit integers. Connected computations (an operation, its
/// operands, the variables between them) whose values all fit get a smaller signed type: 16 or 32 bits, in kernels 32.
/// More elements then fit in a vector, and devices need one instruction where they need several for 64 bits.
/// Subscripts, ranges of loops, and values whose range is not known (ValueRanges) stay as they are. No value changes.
void narrow_integers(Module& m, const PassOptions& options);

}  // namespace vr::lower
