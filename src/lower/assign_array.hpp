// Assignments of whole arrays: shared, moved, copied, computed (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void assign_array(Lowering& f, Slot& to, const ir::ExprPtr& value, int where);
/// Assigns from storage that another variable keeps: it is shared (value semantics copies at the next store).
void assign_copy(Lowering& f, Slot& to, const Slot& from, int where);
/// `c = a + b` reuses c's storage if it has the right size and no other owner (thesis 5.7.2). Returns an empty slot if
/// the value reads elements of c other than the one that is being written.
Slot in_old_storage(Lowering& f, const Slot& to, const ArrayGen& g, const ir::Type& type, int where);
/// Whether a slice is a view of its array; decided by the types.
bool is_view(Lowering& f, const ir::Index& i);
/// The type of a new array for a target: it has the value's layout if the target's layout is strided.
ir::Type fresh_type(const ir::Type& target, const ir::Type& value);

}  // namespace vr::lower
