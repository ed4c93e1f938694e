// residence: host code synchronises arrays before it accesses elements whose newest values may be on the device.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// For modules whose arrays may have their newest elements on a device (PassOptions::device; else nothing is done). Runs once,
/// before elementwise loops are distributed to threads. Inserts `vr_gpu_need_host` before everything that Entry functions and
/// tasks read and write in host memory, as late as possible but outside loops that leave nothing on the device. CPU versions of
/// kernels are not changed: their callers have synchronised the arrays.
void residence(Module& m, const PassOptions& options);

}  // namespace vr::lower
