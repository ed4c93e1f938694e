// The axis arguments of library functions.
#pragma once
#include "lower/function_lowering.hpp"

namespace vr::lower {

/// The axis that the call states, from 0, checked against an array of `rank` dimensions: OUT_OF_BOUNDS. Under :mindims
/// 1 a negative one counts from the end; under :mindims 2 it may lie past the last one, where extents are 1.
ExprP checked_axis(FunctionLowering& f, Exprs& x, const ir::Conventions& conv, const ir::ExprPtr& axis, int rank);

}  // namespace vr::lower
