// Array expressions: elementwise trees as one loop nest, broadcasting, temporaries (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Where storage has to be made for it, it is made in `where`.
ArrayGen gen(Lowering& f, const ir::ExprPtr& e, int where = VR_IN_ENGINE);
ArrayGen leaf(Emitter& out, const Slot& s, std::vector<ir::SymbolId> reads);
ArrayGen convert(Emitter& out, ArrayGen g, ir::Elem elem, bool complex);
ArrayGen elementwise(Lowering& f, const std::vector<ir::ExprPtr>& args, const ir::Type& result,
                     std::function<ScalarValue(const std::vector<ScalarValue>&)> combine);
/// The computed array in a temporary (released at the end of the statement).
Slot materialise(Lowering& f, const ArrayGen& g, ir::Layout layout, int where);
Slot materialise(Lowering& f, const ir::ExprPtr& e, int where);
void fill(Lowering& f, const Slot& target, const ArrayGen& g);
void need_shapes(Lowering& f, ExprP agree, const std::vector<const ArrayGen*>& values, const std::string& message,
                 const std::string& array);
void need_elements(Lowering& f, const ArrayGen& g, const std::vector<ExprP>& over);
/// Runs `loops` with the simplest way to compute elements that holds at run time.
void with_elements(Emitter& out, const ArrayGen& g, const std::function<void(const Elements&)>& loops);
void loop_nest(Lowering& f, const std::vector<ExprP>& counts, ir::Layout order, bool independent,
               const std::function<void(const std::vector<ExprP>&)>& body);
ArrayGen made(Emitter& out, const Slot& s);
ArrayGen one_element(Emitter& out, ScalarValue v, int rank);
Slot alloc(Lowering& f, const ir::Type& type, std::vector<ExprP> extents, int fill, int where,
           const std::string& name = "tmp");
std::vector<ExprP> extents_from(Lowering& f, const std::vector<ir::ExprPtr>& args, int rank);
Slot slot_of_array(Lowering& f, const ir::ExprPtr& e, int where);
Slot slot_to_read(Lowering& f, const ir::ExprPtr& e);
int where_of(const Lowering& f, ir::SymbolId id);

}  // namespace vr::lower
