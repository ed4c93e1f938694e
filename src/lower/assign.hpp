// Assignments: to variables, elements, slices, tuples (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void assign(Lowering& f, const ir::Assign& a);
void assign_slot(Lowering& f, Slot& to, const ir::ExprPtr& value, ir::SymbolId id);
/// A name for a slot without a symbol: what lies in it becomes an ordinary expression.
ir::ExprPtr named(Lowering& f, Slot s);
/// What lies in a slot as the expression's stated type has it: a number converted, an array of another element type or
/// contiguous layout another array.
Slot as_stated(Lowering& f, Slot s, const ir::Type& stated);
/// The parts of a value of tuple type, as it states them: a call's results, a tuple's elements, a variable's parts.
std::vector<Slot> tuple_values(Lowering& f, const ir::ExprPtr& value);
/// The value without copies of it that the assignment makes anyway.
const ir::ExprPtr& unwrap_copy(const Emitter& out, const ir::ExprPtr& e);

}  // namespace vr::lower
