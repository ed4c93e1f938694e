// The state of one Entry or Task function while its code is emitted, in members with one purpose each. Functions that emit a
// construct take it as parameter (private to codegen/llvm).
#pragma once
#include "codegen/llvm/access_metadata.hpp"
#include "codegen/llvm/emit_expr.hpp"
#include "codegen/llvm/emit_module.hpp"
#include "codegen/llvm/frame.hpp"

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace vr::codegen::llvm_backend {

/// The blocks in which a function ends.
struct WaysOut {
  llvm::BasicBlock* exit = nullptr;     ///< hands results over; the status is 0
  llvm::BasicBlock* cleanup = nullptr;  ///< runs Function::cleanup, then returns the status
  llvm::AllocaInst* status = nullptr;
};

/// The targets of Continue and Break.
struct LoopTargets {
  llvm::BasicBlock *next, *end;
};

struct FunctionCode {
  FunctionCode(ModuleEmitter& module, const lower::Function& source, llvm::Function* target)
      : module(module),
        source(source),
        target(target),
        b(module.context()),
        variables(source, b),
        call_memory(target),
        accesses(source, module.context()),
        exprs(module, b, variables, accesses) {}
  FunctionCode(const FunctionCode&) = delete;  // the members refer to each other

  ModuleEmitter& module;
  const lower::Function& source;
  llvm::Function* target;
  llvm::IRBuilder<> b;
  Variables variables;
  CallMemory call_memory;
  AccessMetadata accesses;
  Expressions exprs;
  WaysOut out;
  std::vector<LoopTargets> loops;  ///< the enclosing loops

  llvm::Value* context() const { return target->getArg(0); }  ///< the call's vr_context
  const lower::ArrayVars& array(lower::ArrayId a) const { return source.arrays[static_cast<size_t>(a)]; }
  llvm::BasicBlock* new_block(const char* name) { return llvm::BasicBlock::Create(module.context(), name, target); }
  bool terminated() const { return b.GetInsertBlock()->getTerminator() != nullptr; }
};

}  // namespace vr::codegen::llvm_backend
