// Scalar expressions (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

ScalarValue scalar(Lowering& f, const ir::ExprPtr& e);
ExprP condition(Lowering& f, const ir::ExprPtr& e);
/// Int64; a float must be integral (else TYPE)
ExprP int_value(Lowering& f, const ir::ExprPtr& e, const char* what);
ExprP to_int64(Emitter& out, ScalarValue v, const char* what);
/// Exact Int64 form of an integral expression, or null (see scalar.cpp).
ExprP int_form(Lowering& f, const ir::Expr& e);
bool has_effects(const Lowering& f, const ir::ExprPtr& e);

}  // namespace vr::lower
