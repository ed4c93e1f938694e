// Assignments: to variables, elements, slices, tuples (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void assign(Lowering& f, const ir::Assign& a);
void assign_slot(Lowering& f, Slot& to, const ir::ExprPtr& value, ir::SymbolId id);
/// A name for a slot without a symbol, so that its value can be used as an ordinary expression.
ir::ExprPtr named(Lowering& f, Slot s);
/// The value of a slot, converted to the expression's stated type: a number is converted, an array of another element
/// type or of another contiguous layout becomes a new array.
Slot as_stated(Lowering& f, Slot s, const ir::Type& stated);
/// The parts of a value of tuple type, in the types that it states: a call's results, a tuple's elements, a variable's.
std::vector<Slot> tuple_values(Lowering& f, const ir::ExprPtr& value);
/// The value without calls of `copy` that are redundant because the assignment copies anyway.
const ir::ExprPtr& unwrap_copy(const Emitter& out, const ir::ExprPtr& e);

}  // namespace vr::lower
