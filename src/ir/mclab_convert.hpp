// The mclab dialect: conversions between MATLAB's classes and between numbers and arrays, to the type that a context requires
// (private to mclab*.cpp).
#pragma once
#include "ir/mclab_builder.hpp"

namespace vr::ir::mclab {

ExprPtr to_elem(Builder& out, const ExprPtr& e, Elem elem, bool complex);
ExprPtr to_float(Builder& out, const ExprPtr& e);
ExprPtr to_int32(Builder& out, const ExprPtr& e);  ///< MATLAB's: to nearest, saturating
ExprPtr to_scalar(Builder& out, const ExprPtr& e);
ExprPtr to_array(Builder& out, const ExprPtr& e, int rank);
/// `e` converted to the type `place`: kind, rank and element type.
ExprPtr fit(Builder& out, const ExprPtr& e, const Type& place);
ExprPtr condition(Builder& out, const ExprPtr& e);  ///< a scalar: an array is true when all elements are

/// The constant node if e is a constant or the negation of one; else null.
const Expr* constant_of(const ExprPtr& e);
bool integral_constant(const ExprPtr& e);

}  // namespace vr::ir::mclab
