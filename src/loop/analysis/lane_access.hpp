// Accesses of a kernel's iteration to the element with the iteration's own number.
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

/// offset == dims[0] * bytes of `type`; dims[0] may have been copied to another variable of the body.
bool is_point_offset(const Function& kernel, ExprP offset, Scalar type);

/// The lane to which an access of `type` at base + offset belongs; null: none. The kernel's lanes must have been found.
const Lane* lane_of(const Function& kernel, ExprP base, ExprP offset, Scalar type);

}  // namespace vr::lower
