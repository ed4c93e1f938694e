// Atomic operations of OpenCL C 1.2 on the four element types that VRIR's xchange takes.
#pragma once
#include "loop/form.hpp"

#include <string>

namespace vr::codegen::opencl {

/// Name of the function that does `op` on elements of this type, in global or local memory: "vr_atomic_add_double",
/// "vr_local_add_int". Its parameters are a volatile pointer, for Cas the expected value, and the operand; it returns
/// the old element.
std::string atomic_name(ir::AtomicOp op, lower::Scalar type, bool local);
/// The function's definition. int uses the built-in functions; int64 those of cl_khr_int64_base_atomics; operations without a
/// built-in function are a loop around a compare-exchange of the element's bits.
std::string atomic_text(ir::AtomicOp op, lower::Scalar type, bool local);

}  // namespace vr::codegen::opencl
