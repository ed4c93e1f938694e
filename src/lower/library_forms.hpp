// Parts of the library that give arrays, but for reductions (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

// `t`: the type of the result, contiguous. library_make.cpp
/// Extents of the first argument; of a number none.
std::vector<ExprP> extents_of(Lowering& f, const ir::LibCall& c);
ArrayGen sizes(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen reshaped(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen progression(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen linspace(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen identity(Lowering& f, const ir::LibCall& c, const ir::Type& t);
/// hcat (beside) and vcat: the arrays one behind the other along dimension 1 or 0.
ArrayGen joined(Lowering& f, const ir::LibCall& c, const ir::Type& t, bool beside, int where);

// library.cpp
/// SHAPE_MISMATCH unless the matrix is a row or a column: what `dot` and `outer` take for a vector.
void need_vector(Emitter& out, const ArrayGen& g);

// library_order.cpp
/// The elements, and where they came from when `positions` are asked for.
std::vector<Slot> sorted(Lowering& f, const ir::LibCall& c, bool positions, int where = VR_IN_ENGINE);
/// Linear positions of what is not zero.
ArrayGen positions(Lowering& f, const ir::LibCall& c);

// library_called.cpp
/// Results of a function that the runtime computes, of these types; all of them live as long as the statement.
std::vector<Slot> called(Lowering& f, const ir::LibCall& c, const std::vector<ir::Type>& results, int where);

}  // namespace vr::lower
