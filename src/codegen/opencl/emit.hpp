// Kernels of a lowered module -> OpenCL C (thesis 5.8). Needs no OpenCL to run.
#pragma once
#include "loop/form.hpp"

#include <velociraptor/status.hpp>

#include <string>
#include <vector>

namespace vr::codegen::opencl {

/// OpenCL C 1.2 text of all functions of Kind::Kernel in the module; empty when there are none. Deterministic.
///
/// The kernel of a function has the function's name and takes, for each parameter in order: a scalar by value (complex:
/// re, im; Bool as uchar), or an array as (__global char* buffer, long offset, long extent..., long stride...) where
/// offset and strides are bytes and buffer + offset is element (0, ..., 0); then the domain's counts (long each, order
/// of Function::dims) and last `__global vr_fault* error` (24 bytes):
///     struct vr_fault { int code; int site; long index; long extent; }
/// which the caller zeroes. The first fault makes code non-zero with an atomic compare-exchange and only then fills the
/// rest; site is a lower::SiteId. A work-item that faults leaves the kernel; the others go on (thesis 4.6).
///
/// Work-items stride over the domain, so that any global size covers it, or each runs Function::points iterations;
/// dims[0] is get_global_id(0). Lanes are loaded and stored as vectors if the arrays are aligned for that. Arithmetic
/// is that of the CPU backend: wrapping integers, saturating conversions, no contraction. cl_khr_fp64 is enabled in the
/// text exactly if it uses double. Pointers are `restrict` only in kernels that are `disjoint`: the runtime puts
/// overlapping arrays into one buffer. Extents, strides and counts are int in kernels that have `narrow` variables.
///
/// A reduction kernel runs in one dimension, in work-groups of a power of two up to VR_FOLD_GROUP, one for each row of its
/// partial array, which gets its result (two-stage reduction; the launching code runs the second stage).
///
/// UNSUPPORTED for constructs that kernels cannot contain (calls, allocation, more than 3 dimensions); the message names it.
Result<std::string> emit(const lower::Module& m);

/// What an OpenCL driver builds. Options: strict IEEE arithmetic unless the kernel permits full fast-math;
/// "-cl-fp32-correctly-rounded-divide-sqrt" if float division or square root occurs (a device without that capability
/// rejects it, so the runtime leaves it out there).
struct Program {
  std::string source;
  std::string options;
};

/// Which kernels are in one program. Kernels: each alone, so that only those that are launched are built. Options: all
/// that have the same options.
enum class Split { Kernels, Options };
/// The program of each kernel, by its number in Module::functions (others have empty ones). The same errors.
Result<std::vector<Program>> emit_programs(const lower::Module& m, Split split = Split::Kernels);

}  // namespace vr::codegen::opencl
