// fold: the value of scalar operators whose operands are constants.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// Whether the expression is a real literal of scalar type.
bool is_constant(const ir::ExprPtr& e);
/// The truth value of a constant.
bool constant_truth(const ir::ExprPtr& e);
/// The value of a constant of an integer type (bool too).
int64_t constant_integer(const ir::ExprPtr& e);
/// The constant converted to a real scalar type, as an assignment would.
ir::ExprPtr constant_as(const ir::ExprPtr& e, const ir::Type& type);

/// The constant that an operator (arithmetic, comparison, logic, cast) of constants gives, of the stated type; also the
/// result of `and` and `or` that is decided by the left side. Null if this is not such an expression, or if it would
/// fault or give NaN (whose bits depend on the machine). The value is exactly the one that evaluation at run time
/// gives.
ir::ExprPtr fold(const ir::Expr& e);

}  // namespace vr::transform
