// Where the newest elements of arrays are: host code asks for them before it looks (private to src/lower).
#pragma once
#include "lower/exprs.hpp"

namespace vr::lower {

/// To be run once over a lowered module whose arrays may have their newest elements on a device (LowerOptions::device),
/// before element loops are shared among threads. Puts `vr_gpu_need_host` before all that entry functions and tasks read
/// and write in host memory, as late as it can be but outside of loops in which nothing goes to the device. Host versions
/// of kernels are left alone: whoever calls them has seen to it.
void ask_for_elements(Module& m, Exprs& x);

}  // namespace vr::lower
