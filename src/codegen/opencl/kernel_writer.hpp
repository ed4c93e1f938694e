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
  std::string problem;  ///< what cannot stand in a kernel; empty when all went well
};

/// globals: names of the program's functions, this kernel's among them.
KernelText write_kernel(const lower::Module& m, const lower::Function& kernel, const Usage& usage, Names& globals,
                        Helpers& helpers);

}  // namespace vr::codegen::opencl
