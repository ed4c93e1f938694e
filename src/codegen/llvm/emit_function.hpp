// The body of one Entry or Task function (private to codegen/llvm).
//
//   entry:    variables as allocas, zeroed; parameters loaded from args / env
//   body:     the statements
//   exit:     results handed over, status 0               <- Exit, end of the body
//   cleanup:  Function::cleanup, return the status        <- exit, Fail, checked calls
#pragma once
#include "codegen/llvm/emit_module.hpp"

namespace vr::codegen::llvm_backend {

/// Emits the body of `target`, which is still a declaration.
void emit_function(ModuleEmitter& module, const lower::Function& source, llvm::Function* target);

}  // namespace vr::codegen::llvm_backend
