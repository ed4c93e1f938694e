// Loops over the elements of arrays (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// A loop for each dimension, the fastest of this order innermost; the body takes the subscripts.
void loop_nest(Lowering& f, const std::vector<ExprP>& counts, ir::Layout order, bool independent,
               const std::function<void(const std::vector<ExprP>&)>& body);
/// Runs `loops` with the simplest way to compute elements that holds at run time.
void with_elements(Emitter& out, const ArrayGen& g, const std::function<void(const Elements&)>& loops);
void fill(Lowering& f, const Slot& target, const ArrayGen& g);
/// Fails unless the shapes of these values agree. What is wrong with their elements comes first: they are computed
/// first.
void need_shapes(Lowering& f, ExprP agree, const std::vector<const ArrayGen*>& values, const std::string& message,
                 const std::string& array);
/// Elements that are broadcast over nothing are dead; their faults are faults all the same.
void need_elements(Lowering& f, const ArrayGen& g, const std::vector<ExprP>& over);

}  // namespace vr::lower
