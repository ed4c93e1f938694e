// fold: the value of scalar operators whose operands are constants.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// Whether the expression is a real literal of scalar type.
bool is_constant(const ir::ExprPtr& e);
/// Of a constant: whether it counts as true.
bool constant_truth(const ir::ExprPtr& e);
/// Of a constant of an integer type (bool too): its value.
int64_t constant_integer(const ir::ExprPtr& e);
/// The constant converted to a real scalar type, as an assignment would.
ir::ExprPtr constant_as(const ir::ExprPtr& e, const ir::Type& type);

/// The constant that an operator (arithmetic, comparison, logic, cast) of constants gives, of the stated type; also
/// what `and` and `or` give when their left side decides. Null when this is no such expression, or it would fault, or
/// give NaN (whose bits are the machine's business). Exactly the numbers that running it gives.
ir::ExprPtr fold(const ir::Expr& e);

}  // namespace vr::transform
