// remainders: those of sums, by a subtraction where that is enough.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In kernels, a variable that becomes the remainder of a sum or difference by a variable, a % n, becomes a if |a| < n, and
/// a - n if that is between 0 and n: subscripts that wrap around, as of the neighbours in a periodic grid, are of that kind,
/// and devices divide integers by sequences of 20 (32 bits) to 100 operations. Other remainders are divided as before. Not
/// changed: remainders of anything else, by constants, and of unsigned numbers.
void remainders(Module& m, const PassOptions& options);

}  // namespace vr::lower
