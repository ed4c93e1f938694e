// The mclab dialect: binary operators on MATLAB's classes (private to mclab*.cpp).
#pragma once
#include "ir/mclab_builder.hpp"

namespace vr::ir::mclab {

/// An integer class takes precedence over floats and saturates, single takes precedence over double, and logical counts
/// as double.
ExprPtr binary(Builder& out, Kind op, ExprPtr a, ExprPtr b, const Type& stated, TextPos pos);

}  // namespace vr::ir::mclab
