// Copies of an iteration become loops again (private to codegen/c99).
#pragma once
#include "loop/exprs.hpp"

#include <set>

namespace vr::codegen::c99 {

/// Where the body of an innermost loop consists of 4, 8 or 16 copies of the same assignments (`jam`), one copy takes
/// their place, in a loop over the copies. What the copies assign and keep, and what differs between them, is in arrays
/// of that many elements. Copies may load the same elements or neighbours. The operations, and their order, stay as
/// they are. gcc makes vectors of such a loop and keeps the arrays in registers; of the copies it makes vectors only if
/// it finds no others along the loop around them, whose sums it then adds one by one. Not for the loops with these
/// variables.
void roll_copies(lower::Exprs& x, lower::Function& f, const std::set<lower::VarId>& not_these);

}  // namespace vr::codegen::c99
