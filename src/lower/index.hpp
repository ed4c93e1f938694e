// Elements and subscripts: positions, bounds checks, loads and stores (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

ExprP stride(Emitter& out, const Slot& s, int k);
std::vector<ExprP> strides(Emitter& out, const Slot& s);
ScalarValue load(Emitter& out, ExprP data, ExprP offset, ir::Elem elem, bool complex);
void store(Emitter& out, ExprP data, ExprP offset, ScalarValue v);
/// 0-based position of subscript s along an axis of this extent, checked as its attributes say.
ExprP position(Lowering& f, const ir::Subscript& s, ExprP value, ExprP extent, const std::string& array, int axis);
ScalarValue read_element(Lowering& f, const ir::Index& i);
void write_element(Lowering& f, const ir::Index& i, ScalarValue v);
ScalarValue atomic(Lowering& f, const ir::Xchange& x);
bool flattens(Lowering& f, const ir::Index& i);
/// Selects one element
bool all_scalar(const Lowering& f, const ir::Index& i);
bool may_grow(const Lowering& f, const ir::Index& i, size_t k);
bool may_grow_any(const Lowering& f, const ir::Index& i);
/// The extent that a dimension needs if this subscript is to be its last element.
ExprP needed_for(Emitter& out, ExprP subscript);
/// Enlarges the target so that dimension k has at least needed[k] elements.
void grow_to(Lowering& f, const ir::Index& i, const std::vector<ExprP>& needed);
void grow_empty(Lowering& f, const ir::Index& i, const ArrayGen& value);
void grow_linear(Lowering& f, const ir::Index& i, const std::vector<ExprP>& needed);
/// Product of the extents from a dimension on
ExprP rest_product(Emitter& out, const std::vector<ExprP>& extents, size_t from = 0);

inline ExprP total(Emitter& out, const std::vector<ExprP>& extents) { return rest_product(out, extents); }

}  // namespace vr::lower
