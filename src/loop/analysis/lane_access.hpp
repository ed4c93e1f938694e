// Accesses of a kernel's point to the element of its own number.
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

/// offset == dims[0] * bytes of `type`, where the body may have given dims[0] another name.
bool is_point_offset(const Function& kernel, ExprP offset, Scalar type);

/// The lane that an access of `type` at base + offset is of; null when it is of none. `kernel` has its lanes.
const Lane* lane_of(const Function& kernel, ExprP base, ExprP offset, Scalar type);

}  // namespace vr::lower
