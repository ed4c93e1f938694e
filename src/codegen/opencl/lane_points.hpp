// Kernels whose work-items run several consecutive iterations, with vector loads and stores (private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The condition that the lane arrays are aligned for vectors of most_lanes elements.
std::string lanes_aligned(const KernelCode& code);
/// A single iteration; dims[0] is declared already.
void lone_point(KernelCode& code);
/// Vector loads for the most_lanes iterations from dims[0] on, into variables named with `suffix`.
void load_lanes(KernelCode& code, const std::string& suffix);
/// The calls of the body for most_lanes iterations; increments dims[0].
void lane_steps(KernelCode& code, const std::string& suffix);
/// The kernel's function: each work-item runs most_lanes iterations, with vectors if all of them are in the domain and the
/// arrays are aligned. `whole`: the type of counts.
std::string write_points(KernelCode& code, const char* whole);

}  // namespace vr::codegen::opencl
