// sin_cos: the sine and the cosine of an angle are computed at the same place.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Where statements of one block of a kernel need both the sine and the cosine of the same value, both are assigned to
/// variables next to each other, in front of the first use, so that devices reduce the angle once (codegen/opencl
/// writes one call of sincos). The value may be the result of equal assignments. Not changed: operands that are not
/// always evaluated, values that contain loads, and kernels with all of fast-math, whose functions are single
/// instructions.
void sin_cos(Module& m, const PassOptions& options);

}  // namespace vr::lower
