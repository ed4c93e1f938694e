// Masks as subscripts: the positions of their true elements (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Positions of the nonzero elements, counted from the module's base in row-major order, under MATLAB's rules in
/// column-major order.
Slot find(Lowering& f, const Slot& in, int rank);
Slot find(Lowering& f, const Slot& in, int rank, ir::Layout order);
/// The subscripts in an array: its integers, or for a mask the positions of its true elements.
Slot index_list(Lowering& f, const Slot& list, ExprP extent, const std::string& array_name, int axis);
/// Whether this is NumPy's A[mask] with a mask over all dimensions, which selects elements in row-major order.
bool masks_all(const Lowering& f, const ir::Index& i);
View mask_view(Lowering& f, const ir::Index& i);

}  // namespace vr::lower
