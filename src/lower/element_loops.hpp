// Loops over the elements of arrays (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// A loop for each dimension, with the fastest dimension of this order innermost; `body` gets the subscripts.
void loop_nest(Lowering& f, const std::vector<ExprP>& counts, ir::Layout order, bool independent,
               const std::function<void(const std::vector<ExprP>&)>& body);
/// Emits `loops` with the elements of `g`; in two versions if `g.exact` is given, chosen by `g.exact_if` at run time.
void with_elements(Emitter& out, const ArrayGen& g, const std::function<void(const Elements&)>& loops);
void fill(Lowering& f, const Slot& target, const ArrayGen& g);
/// Fails with SHAPE_MISMATCH unless `agree`. Faults of the values' elements take precedence: elements that can fault
/// are computed before this fault is raised.
void need_shapes(Lowering& f, ExprP agree, const std::vector<const ArrayGen*>& values, const std::string& message,
                 const std::string& array);
/// If `g` has elements but the result's extents `over` are empty, computes the elements because they may fault.
void need_elements(Lowering& f, const ArrayGen& g, const std::vector<ExprP>& over);

}  // namespace vr::lower
