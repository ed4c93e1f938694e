// Guards of copies of loop nests (private to src/lower).
#pragma once
#include "lower/emitter.hpp"
#include "lower/array_value.hpp"

namespace vr::lower {

/// Removes checks with a loop-invariant condition (of a divisor, of the read-only flag of an array) from the loop.
/// Returns the condition that none of them fails; null: there were none.
ExprP take_out_checks(Emitter& out, Block& loop);

/// Whether an affine subscript in `loops` loops changes by less than 2^61 over all of them, `coefficient` being the
/// largest in this loop: then it cannot wrap around the end of Int64 and return to the array from the other side.
ExprP goes_straight(Emitter& out, const LoopDim& d, int64_t coefficient, int loops);

}  // namespace vr::lower
