// Operators on numbers (docs/vrir.md, "Typing and conversion").
#pragma once
#include "interp/scalar.hpp"

#include <velociraptor/ir/nodes.hpp>

namespace vr::interp {

/// Type in which `kind` works on operands of these types, before the node's stated type converts the result: the wider
/// of the two (bool counts as int32 in arithmetic), a stated float for the division of integers, bool for comparisons.
ir::Type operation_type(ir::Kind kind, const ir::Type& a, const ir::Type& b, const ir::Type& stated);

/// a `kind` b for Plus ... Or, in operation_type(...). Integers wrap; integer division truncates, by zero is
/// DIV_BY_ZERO, MIN / -1 is MIN. Complex numbers are ordered by their real parts.
Scalar binary(ir::Kind kind, const Scalar& a, const Scalar& b, const ir::Type& stated);

Scalar negate(const Scalar& v);

/// Remainders of integers and floats: rem has the dividend's sign, mod the divisor's. Integer by zero: DIV_BY_ZERO.
/// Floats: exact (fmod), by zero NaN; `matlab`: from the rounded quotient, and mod(x, 0) is x.
Scalar remainder(const Scalar& a, const Scalar& b, bool mod, bool matlab);

inline ir::Type type_of(const Scalar& v) { return ir::Type::scalar(v.elem, v.complex); }

}  // namespace vr::interp
