// count_bits: loops that count the ones of a number become an operation.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A loop whose iterations each clear the lowest one of a number and add 1 to others, or add its lowest bit and shift
/// it to the right, until it is 0 (BitLoop), becomes the number of its ones. Processors have an instruction for it.
/// Nothing else may happen in the loop, and what else it assigns must not be used outside. Signed numbers that are
/// shifted must be compared with `> 0`.
void count_bits(Module& m, const PassOptions& options);

}  // namespace vr::lower
