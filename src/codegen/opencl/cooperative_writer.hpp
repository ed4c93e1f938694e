// Loops that the work-items of a team share, in OpenCL C (Function::cooperative; private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// Bytes of local memory that the kernel needs: for the states of its reductions, and the rows that stay there.
int32_t cooperative_bytes(const lower::Function& f);
/// At the beginning of the body: pointers to the rows.
void declare_kept_rows(KernelCode& code);

/// Around the body of a spread loop of a cooperative kernel: the lines before it, up to the loop's opening brace, and
/// behind its closing brace.
void begin_shared(KernelCode& code, const lower::CountedLoop& s);
void end_shared(KernelCode& code, const lower::CountedLoop& s);

}  // namespace vr::codegen::opencl
