// Storage of arrays: allocation, and computing array expressions into memory (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Where a variable's array is allocated: VR_IN_HOST or VR_IN_ENGINE.
int where_of(const Lowering& f, ir::SymbolId id);
/// VR_FILL_...
int fill_of(ir::AllocFunc f);
/// The extents that an allocation's arguments give; a single vector argument has the extents as its elements.
std::vector<ExprP> extents_from(Lowering& f, const std::vector<ir::ExprPtr>& args, int rank);
Slot alloc(Lowering& f, const ir::Type& type, std::vector<ExprP> extents, int fill, int where,
           const std::string& name = "tmp");
/// Whether a variable of type `to` can hold an array of type `from` without conversion.
bool holds(const ir::Type& to, const ir::Type& from);
/// Computes the array into a temporary, which is released at the end of the statement.
Slot materialise(Lowering& f, const ArrayGen& g, ir::Layout layout, int where);
Slot materialise(Lowering& f, const ir::ExprPtr& e, int where);
/// The array in memory: that of a variable if the expression is one, else a temporary.
Slot slot_of_array(Lowering& f, const ir::ExprPtr& e, int where);
/// Like slot_of_array, for a runtime function that accepts any strides: transposes and slices are passed as views.
Slot slot_to_read(Lowering& f, const ir::ExprPtr& e);

/// A number as an array of rank 0 in memory owned by the function.
ArrayId boxed(Lowering& f, const ir::Type& t, const ScalarValue& v);
/// Loads results that the runtime returned as arrays, but that are numbers, into variables.
void unbox(Lowering& f, std::vector<Slot>& results);

}  // namespace vr::lower
