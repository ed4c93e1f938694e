// Conversions of float16 and bfloat16, which LLVM's IR holds as i16 (private to codegen/llvm).
#pragma once
#include "loop/form.hpp"

#include <llvm/IR/IRBuilder.h>

namespace vr::codegen::llvm_backend {

/// The float32 with the value of the bits `v` (i16) of a narrow float. `hardware`: the target converts float16 with
/// instructions; otherwise it is computed with integers, because LLVM would call functions of a compiler's library.
llvm::Value* narrow_to_float(llvm::IRBuilder<>& b, lower::Scalar from, llvm::Value* v, bool hardware);
/// The bits of `v`, a float32 (or float64, to float16), rounded once to the nearest narrow float, ties to even. NaN
/// stays NaN.
llvm::Value* float_to_narrow(llvm::IRBuilder<>& b, lower::Scalar to, llvm::Value* v, bool hardware);

}  // namespace vr::codegen::llvm_backend
