// Calls: of the runtime, of other functions, parallel loops and kernel launches. Descriptors in memory exist only here,
// and for a function's own parameters and results (private to codegen/llvm).
#pragma once
#include "codegen/llvm/function_code.hpp"

namespace vr::codegen::llvm_backend {

void emit(FunctionCode& f, const lower::Call& s);
void emit(FunctionCode& f, const lower::CallFunction& s);
void emit(FunctionCode& f, const lower::TakeAddress& s);
void emit(FunctionCode& f, const lower::ParallelFor& s);
void emit(FunctionCode& f, const lower::Launch& s);
void emit(FunctionCode& f, const lower::Poll& s);

}  // namespace vr::codegen::llvm_backend
