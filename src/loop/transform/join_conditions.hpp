// join_conditions: short-circuit conditions without effects become one expression.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// `t = a; if t { s = e; t = b }` becomes `s = e; t = a & b` where the block only computes numbers that nothing else
/// uses: no loads, and no quotients of integers by what may be 0. Analyses then know what holds where t does: front
/// ends write `0 <= y < n and 0 <= z < m` in the first form. Kernels only: functions of the host hand variables to
/// calls.
void join_conditions(Module& m, const PassOptions& options);

}  // namespace vr::lower
