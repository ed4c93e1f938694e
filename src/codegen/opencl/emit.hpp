// emit_opencl: kernels of a lowered module -> OpenCL C (thesis 5.8). Needs no OpenCL to run.
#pragma once
#include "lower/lowered.hpp"

#include <string>

namespace vr::codegen::opencl {

/// OpenCL C 1.2 text of all functions of Kind::Kernel in the module; empty when there are none. Each kernel takes, for each
/// parameter in order: a scalar by value (complex: re, im; Bool as uchar), or an array as
/// (__global char* buffer, long offset, long extent..., long stride...); then the domain's counts (long each, kernel dims
/// order) and last `__global long* error` = {code, site, index, extent}, where the first fault wins code != 0.
std::string emit(const lower::Module& m);
/// Build options that the text needs (IEEE as written unless fast-math was granted).
std::string build_options(const lower::Module& m);

}  // namespace vr::codegen::opencl
