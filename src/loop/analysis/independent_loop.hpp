// Serial loops of kernels whose iterations do not depend on each other (private to src/loop).
#pragma once
#include "loop/exprs.hpp"

#include <cstddef>

namespace vr::lower {

/// Whether statement number `at` of the block is a loop of which no iteration uses what another one assigns or stores,
/// and no later statement of the block what it assigns. Nothing that follows the block uses variables that it assigns.
/// Arrays of the kernel that are written must be disjoint from the others. An iteration stores to each array at one
/// element, which has the iteration's number as one subscript; it may add integers to other elements, whose values it
/// does not use (Atomic).
bool is_independent(Exprs& x, const Function& fn, const Block& b, size_t at);

/// Whether the expression is the number of the loop's iteration: its variable, or one that the body assigns once, from
/// that.
bool is_iteration_number(const CountedLoop& loop, ExprP e);
/// Whether the iterations of the loop access different elements at the offset (At): one subscript is the iteration's
/// number, and the others are the same in all iterations.
bool is_own_element(const CountedLoop& loop, ExprP offset);

}  // namespace vr::lower
