// A kernel's body (one iteration), and the combination of two partial results of a reduction: functions that the kernel
// calls (private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The function for the body; sets call_args.
std::string write_body(KernelCode& code);
/// The function that joins another partial result to that of a work-item.
std::string write_join(KernelCode& code);

}  // namespace vr::codegen::opencl
