// The mclab dialect: conversions between MATLAB's classes, between numbers and arrays, to what a place takes (private
// to mclab*.cpp).
#pragma once
#include "ir/mclab_builder.hpp"

namespace vr::ir::mclab {

ExprPtr to_elem(Builder& out, const ExprPtr& e, Elem elem, bool complex);
ExprPtr to_float(Builder& out, const ExprPtr& e);
ExprPtr to_int32(Builder& out, const ExprPtr& e);  ///< MATLAB's: to nearest, saturating
ExprPtr to_scalar(Builder& out, const ExprPtr& e);
ExprPtr to_array(Builder& out, const ExprPtr& e, int rank);
/// Fit for a place of this type: kind, rank and element.
ExprPtr fit(Builder& out, const ExprPtr& e, const Type& place);
ExprPtr condition(Builder& out, const ExprPtr& e);  ///< a scalar: an array is true when all elements are

/// The constant that e is, or the negative of; null when it is none.
const Expr* constant_of(const ExprPtr& e);
bool integral_constant(const ExprPtr& e);

}  // namespace vr::ir::mclab
