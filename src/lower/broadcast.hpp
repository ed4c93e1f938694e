// Elementwise expressions of several operands, of which scalars and extents of 1 go with any array (private to
// src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Each element combined from those of the operands, which are computed in this order.
ArrayGen elementwise(Lowering& f, const std::vector<ir::ExprPtr>& args, const ir::Type& result,
                     std::function<ScalarValue(const std::vector<ScalarValue>&)> combine);

}  // namespace vr::lower
