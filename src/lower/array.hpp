// Array expressions: how to compute their elements (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Where storage has to be made for it, it is made in `where`.
ArrayGen gen(Lowering& f, const ir::ExprPtr& e, int where = VR_IN_ENGINE);
ArrayGen leaf(Emitter& out, const Slot& s, std::vector<ir::SymbolId> reads);
/// A temporary that was made for this value.
ArrayGen made(Emitter& out, const Slot& s);
ArrayGen one_element(Emitter& out, ScalarValue v, int rank);
/// SIZE where no array has as many elements of so many bytes, though none may be made of them. Extents: not negative.
void fail_if_too_large(Emitter& out, const std::vector<ExprP>& extents, int64_t bytes);
ArrayGen convert(Emitter& out, ArrayGen g, ir::Elem elem, bool complex);

}  // namespace vr::lower
