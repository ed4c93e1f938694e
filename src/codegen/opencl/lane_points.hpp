// Points of a kernel whose work-items take several of them, side by side (private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// Whether vectors may be loaded and stored at the arrays' elements 0, most_lanes, ...
std::string lanes_aligned(const KernelCode& code);
/// One point by itself, dims[0] being declared.
void lone_point(KernelCode& code);
/// Loads for most_lanes points from dims[0] on, in variables named with `suffix`.
void load_lanes(KernelCode& code, const std::string& suffix);
/// The calls for most_lanes points; dims[0] counts on.
void lane_steps(KernelCode& code, const std::string& suffix);
/// The kernel's function: a work-item takes most_lanes points, at once where they are all there. `whole`: the type of
/// counts.
std::string write_points(KernelCode& code, const char* whole);

}  // namespace vr::codegen::opencl
