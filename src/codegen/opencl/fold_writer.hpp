// Reductions, in two stages: the kernel is the first one, whose work-groups give a partial result each (private to
// codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The kernel's function from behind its parameters on. `whole`: the type of counts.
std::string write_fold(KernelCode& code, const char* whole);

}  // namespace vr::codegen::opencl
