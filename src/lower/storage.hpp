// Storage of arrays: allocation, and what asks for a computed array in memory (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Where a variable's array is allocated: VR_IN_HOST or VR_IN_ENGINE.
int where_of(const Lowering& f, ir::SymbolId id);
/// VR_FILL_...
int fill_of(ir::AllocFunc f);
/// The arguments of an allocation, or the elements of a vector that is the only one.
std::vector<ExprP> extents_from(Lowering& f, const std::vector<ir::ExprPtr>& args, int rank);
Slot alloc(Lowering& f, const ir::Type& type, std::vector<ExprP> extents, int fill, int where,
           const std::string& name = "tmp");
/// Whether a variable of type `to` can have an array of type `from` as it is.
bool holds(const ir::Type& to, const ir::Type& from);
/// The computed array in a temporary (released at the end of the statement).
Slot materialise(Lowering& f, const ArrayGen& g, ir::Layout layout, int where);
Slot materialise(Lowering& f, const ir::ExprPtr& e, int where);
/// The array in storage: a variable as it is, anything else computed into a temporary.
Slot slot_of_array(Lowering& f, const ir::ExprPtr& e, int where);
/// For a function of the runtime that takes any strides: transposes and slices as they lie in their arrays.
Slot slot_to_read(Lowering& f, const ir::ExprPtr& e);

/// A number as an array of rank 0, in memory of the function's own.
ArrayId boxed(Lowering& f, const ir::Type& t, const ScalarValue& v);
/// Of results that the runtime gave as arrays, those that are numbers become variables.
void unbox(Lowering& f, std::vector<Slot>& results);

}  // namespace vr::lower
