// Reductions, in two stages: the kernel is the first one, in which each work-group computes a partial result (private
// to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// Writes the macro of the parameters that the kernel has only when it is built with carried_option
/// (runtime/carried.hpp), and returns its name: (carry, from, more). Such a launch runs a part of the iterations, from
/// `from` along the outermost dimension up to the launch's count. What the work-items have accumulated is in `carry`
/// from one launch to the next, and groups join it in the last one (more = 0), so the parts together give the bits of
/// the whole.
std::string carried_parameters(KernelCode& code);
/// The kernel's function after its parameter list. `whole`: the type of counts.
std::string write_fold(KernelCode& code, const char* whole);

}  // namespace vr::codegen::opencl
