// Rows and tables that are in local memory while a group runs (has_blocks), in OpenCL C (private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The rows become parameters of the body, and arguments of its calls.
void pass_blocks(KernelCode& code, std::vector<std::string>& params);
/// The rest of the kernel's function: what is moved before and after the work-item's iteration, and the `call` that
/// runs it. `whole`: the type of counts.
std::string write_blocks(KernelCode& code, const char* whole, const std::string& call);

}  // namespace vr::codegen::opencl
