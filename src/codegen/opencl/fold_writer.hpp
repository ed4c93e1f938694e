// Reductions, in two stages: the kernel is the first one, in which each work-group computes a partial result (private to
// codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The kernel's function after its parameter list. `whole`: the type of counts.
std::string write_fold(KernelCode& code, const char* whole);

}  // namespace vr::codegen::opencl
