// Assignments: to variables, elements, slices, tuples; who owns an array and who may store to it (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

bool is_view(Lowering& f, const ir::Index& i);
void assign(Lowering& f, const ir::Assign& a);
void assign_slot(Lowering& f, Slot& to, const ir::ExprPtr& value, ir::SymbolId id);
void assign_array(Lowering& f, Slot& to, const ir::ExprPtr& value, int where);
/// A name for a slot without a symbol: what lies in it becomes an ordinary expression.
ir::ExprPtr named(Lowering& f, Slot s);
/// The type of a new array for a target: in the value's order where the target may have any.
ir::Type fresh_type(const ir::Type& target, const ir::Type& value);
Slot in_old_storage(Lowering& f, const Slot& to, const ArrayGen& g, const ir::Type& type, int where);
void assign_copy(Lowering& f, Slot& to, const Slot& from, int where);
Slot as_stated(Lowering& f, Slot s, const ir::Type& stated);
/// The parts of a value of tuple type, as it states them: a call's results, a tuple's elements, a variable's parts.
std::vector<Slot> tuple_values(Lowering& f, const ir::ExprPtr& value);
const ir::ExprPtr& unwrap_copy(const Emitter& out, const ir::ExprPtr& e);
void before_store(Lowering& f, ir::SymbolId id, bool kernels = false, ExprP when = nullptr);
/// Whether the array may not be stored to; known to be false where it holds no flags (temporaries, kernels).
ExprP is_read_only(Emitter& out, ArrayId a);
void forget_unique(Lowering& f, const LoopInfo& facts);
void assigned_unique(Lowering& f, const ir::Assign& a, bool value_was_unique);
/// Whether the statement at hand is the last to read the variable, and `mentions` are all its mentions of it.
bool last_use(Lowering& f, ir::SymbolId id, int mentions);
void unique_before_loop(Lowering& f, const LoopInfo& facts);

}  // namespace vr::lower
