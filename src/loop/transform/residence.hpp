// Where the newest elements of arrays are: host code asks for them before it looks.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// For modules whose arrays may have their newest elements on a device (PassOptions::device; else nothing is done); to run
/// once, before element loops are shared among threads. Puts `vr_gpu_need_host` before all that entry functions and tasks
/// read and write in host memory, as late as it can be but outside of loops in which nothing goes to the device. Host
/// versions of kernels are left alone: whoever calls them has synchronised their arrays.
void residence(Module& m, const PassOptions& options);

}  // namespace vr::lower
