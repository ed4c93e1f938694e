// Library functions on arrays (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The call as a call of a library function; null if it is a call of another function. Valid as long as the Lowering,
/// since array generators refer to it later.
const ir::LibCall* library_call(Lowering& f, const ir::FnCall& c);
ArrayGen library_array(Lowering& f, const ir::LibCall& c, int where = VR_IN_ENGINE);
ScalarValue library_scalar(Lowering& f, const ir::LibCall& c);
/// Results of a library function that gives several (sort, find).
std::vector<Slot> library_results(Lowering& f, const ir::LibCall& c);

}  // namespace vr::lower
