// Elementwise expressions of several operands; scalars and extents of 1 are broadcast (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Each element is `combine` of the operands' elements. Operands are evaluated from left to right.
ArrayGen elementwise(Lowering& f, const std::vector<ir::ExprPtr>& args, const ir::Type& result,
                     std::function<ScalarValue(const std::vector<ScalarValue>&)> combine);

}  // namespace vr::lower
