// Array expressions: how their elements are computed (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The array expression `e`, not yet computed. If it needs storage, that is allocated in `where`.
ArrayGen gen(Lowering& f, const ir::ExprPtr& e, int where = VR_IN_ENGINE);
ArrayGen leaf(Emitter& out, const Slot& s, std::vector<ir::SymbolId> reads);
/// A temporary that was allocated for this value.
ArrayGen made(Emitter& out, const Slot& s);
ArrayGen one_element(Emitter& out, ScalarValue v, int rank);
/// Fails with SIZE if no array can have that many elements of `bytes` bytes, even where none is allocated. Extents must
/// not be negative.
void fail_if_too_large(Emitter& out, const std::vector<ExprP>& extents, int64_t bytes);
ArrayGen convert(Emitter& out, ArrayGen g, ir::Elem elem, bool complex);

}  // namespace vr::lower
