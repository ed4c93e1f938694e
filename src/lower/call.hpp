// Calls of functions of the module and of function variables (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

std::vector<Slot> call_results(Lowering& f, const ir::ExprPtr& call);

}  // namespace vr::lower
