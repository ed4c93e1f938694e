// What a lowered module knows and C cannot say, written into its code (private to codegen/c99 and src/aot).
#pragma once
#include "loop/form.hpp"

namespace vr::codegen::c99 {

/// Changes the functions for the CPU of a lowered module. Results are the same, except for the order of operations
/// marked any_order:
/// - Loops whose iterations are independent because of alias sets are marked so.
/// - An element that straight code stores several times is kept in a variable until the last time, if no access between
/// may be of it.
/// - Loads of independent loops that are the same in each iteration come before the loop.
/// - Addresses state constant distances from each other, and what an innermost loop does not change of them is computed
/// in front of it.
/// - Innermost loops that only reduce, in any order, do so in lanes (lanes.hpp).
/// - Copies of an iteration in the body of a loop become a loop (roll.hpp).
void prepare(lower::Module& m);

/// Whether the block only assigns and stores: a loop with this body is innermost, and ends with its last iteration.
bool is_plain(const lower::Block& b);

}  // namespace vr::codegen::c99
