// Assignments of whole arrays: shared, moved, copied, computed (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void assign_array(Lowering& f, Slot& to, const ir::ExprPtr& value, int where);
/// From storage that somebody else keeps: shared (value semantics copy on write).
void assign_copy(Lowering& f, Slot& to, const Slot& from, int where);
/// `c = a + b` writes into c's old storage when it fits and nobody else holds it (thesis 5.7.2). No slot when the value
/// reads c's elements elsewhere than at the place that is being written.
Slot in_old_storage(Lowering& f, const Slot& to, const ArrayGen& g, const ir::Type& type, int where);
/// Whether a slice shares its array's elements: the types decide.
bool is_view(Lowering& f, const ir::Index& i);
/// The type of a new array for a target: in the value's order where the target may have any.
ir::Type fresh_type(const ir::Type& target, const ir::Type& value);

}  // namespace vr::lower
