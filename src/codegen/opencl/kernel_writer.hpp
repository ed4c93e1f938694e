// One kernel function of the lowered form -> two OpenCL C functions: the body (one iteration) and the kernel (the
// loops).
#pragma once
#include "codegen/opencl/helpers.hpp"
#include "codegen/opencl/names.hpp"
#include "codegen/opencl/usage.hpp"
#include "loop/form.hpp"

#include <string>

namespace vr::codegen::opencl {

struct KernelText {
  std::string text;
  std::string problem;  ///< the first construct that kernels cannot contain; empty: none
};

/// globals: the names of the program's functions, including this kernel's.
KernelText write_kernel(const lower::Module& m, const lower::Function& kernel, const Usage& usage, Names& globals,
                        Helpers& helpers);

}  // namespace vr::codegen::opencl
