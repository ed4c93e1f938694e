// Copies of arrays that each work-group adds to (Function::rows of a kernel without a team), in OpenCL C (private to
// codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The copies become parameters of the body, and arguments of its calls.
void pass_copies(KernelCode& code, std::vector<std::string>& params);
/// The rest of the kernel's function: zeros in the copies, the loops over the domain, and the copies' sums into the
/// arrays. `whole`: the type of counts.
std::string write_copies(KernelCode& code, const char* whole, const std::string& call);

}  // namespace vr::codegen::opencl
