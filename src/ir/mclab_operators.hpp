// The mclab dialect: binary operators on MATLAB's classes (private to mclab*.cpp).
#pragma once
#include "ir/mclab_builder.hpp"

namespace vr::ir::mclab {

/// An integer class wins over floats and saturates, single wins over double, logical counts as double.
ExprPtr binary(Builder& out, Kind op, ExprPtr a, ExprPtr b, const Type& stated, TextPos pos);

}  // namespace vr::ir::mclab
