// What a subscripted array selects (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

View view(Lowering& f, const ir::Index& i, bool write);
/// Distance in bytes from element (0,...,0) to linear position `p` over the dimensions from `from` on, in this order.
ExprP apart(Emitter& out, const Slot& s, size_t from, ir::Layout order, ExprP p);

}  // namespace vr::lower
