// Guards of copies of loop nests (private to src/lower).
#pragma once
#include "lower/emitter.hpp"
#include "lower/array_value.hpp"

namespace vr::lower {

/// Takes checks out of loops whose outcome is the same in every iteration (a divisor that stays, an array that may be
/// read-only); the result says that none of them fails, null: there were none.
ExprP take_out_checks(Emitter& out, Block& loop);

/// Whether what is affine in the variables of `loops` loops, in each by up to such a coefficient, changes by less than 2^61
/// over all of them: it cannot leave an array on one side and come back, round the end of Int64, on the other.
ExprP goes_straight(Emitter& out, const LoopDim& d, int64_t coefficient, int loops);

}  // namespace vr::lower
