// Serial loops of kernels whose iterations do not depend on each other (private to src/loop).
#pragma once
#include "loop/analysis/polynomials.hpp"

#include <cstddef>

namespace vr::lower {

/// Whether statement number `at` of the block is a loop of which no iteration uses what another one assigns or stores,
/// and no later statement of the block what it assigns. Nothing that follows the block uses variables that it assigns.
/// Arrays of the kernel that are written must be disjoint from the others, and their elements from each other. No
/// iteration accesses an element that another one stores (IterationElements); integers may be added to elements whose
/// values are not used (Atomic). before: the values in front of the loop.
bool is_independent(Exprs& x, const Function& fn, const Block& b, size_t at, const Polynomials& before);

/// Whether the loop is assignments, conditions, loops, faults, stores to elements that no other iteration accesses, and
/// integer atomics.
bool stores_are_own(const Function& fn, const Stmt& loop, const Polynomials& before);

/// Whether the expression is the number of the loop's iteration, or that and what is the same in all iterations: its
/// variable, a sum with it, or a variable that the body assigns once, from such a value.
bool is_iteration_number(const CountedLoop& loop, ExprP e);
/// Whether the iterations of the loop access different elements at the offset (At): a subscript is the iteration's
/// number.
bool is_own_element(const CountedLoop& loop, ExprP offset);

}  // namespace vr::lower
