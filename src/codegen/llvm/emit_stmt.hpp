// Statements of the lowered form (private to codegen/llvm).
#pragma once
#include "codegen/llvm/function_code.hpp"

namespace vr::codegen::llvm_backend {

void emit_block(FunctionCode& f, const lower::Block& block);

}  // namespace vr::codegen::llvm_backend
