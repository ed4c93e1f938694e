// Scalar expressions (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

ScalarValue scalar(Lowering& f, const ir::ExprPtr& e);
ExprP condition(Lowering& f, const ir::ExprPtr& e);
/// The value as Int64; TYPE if it is a float that is not integral.
ExprP int_value(Lowering& f, const ir::ExprPtr& e, const char* what);
ExprP to_int64(Emitter& out, ScalarValue v, const char* what);
/// The Int64 value of an integral expression, without rounding or checks; null if it has none (see scalar.cpp).
ExprP int_form(Lowering& f, const ir::Expr& e);
bool has_effects(const Lowering& f, const ir::ExprPtr& e);

}  // namespace vr::lower
