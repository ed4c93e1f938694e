// A kernel's body, which is one iteration, and what joins two partial results of a reduction: functions that the kernel
// calls (private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The body; sets call_args.
std::string write_body(KernelCode& code);
/// What others have joins what a work-item has so far.
std::string write_join(KernelCode& code);

}  // namespace vr::codegen::opencl
