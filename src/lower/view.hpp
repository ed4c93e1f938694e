// What a subscripted array selects (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

View view(Lowering& f, const ir::Index& i, bool write);
ExprP apart(Emitter& out, const Slot& s, size_t from, ir::Layout order, ExprP p);
/// Positions of the nonzero elements, in the module's base.
Slot find(Lowering& f, const Slot& in, int rank);
Slot find(Lowering& f, const Slot& in, int rank, ir::Layout order);
bool masks_all(const Lowering& f, const ir::Index& i);

}  // namespace vr::lower
