// Loops that end when the bits of a number are used up.
#pragma once
#include "loop/exprs.hpp"

namespace vr::lower {

/// Whether the loop has at most 64 iterations because it ends where an integer is 0, or where it is 0 or less, and each
/// iteration clears a bit of it, shifts it to the right or divides it by at least 2.
bool uses_up_bits(Exprs& x, const Loop& loop);

}  // namespace vr::lower
