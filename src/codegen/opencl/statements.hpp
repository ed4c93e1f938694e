// Statements of the lowered form as OpenCL C (private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

void block(KernelCode& code, const lower::Block& b);
/// Whether the block ends by leaving the function.
bool leaves(const lower::Block& b);

}  // namespace vr::codegen::opencl
