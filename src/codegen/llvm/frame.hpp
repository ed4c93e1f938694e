// The stack frame of one function: the lowered form's variables, and memory for calls (private to codegen/llvm).
#pragma once
#include "codegen/llvm/emit_module.hpp"

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace vr::codegen::llvm_backend {

/// Memory of the function's frame, allocated where the function begins.
llvm::AllocaInst* entry_alloca(llvm::Function* function, llvm::Type* type, unsigned count, const char* name);

/// Variables of the lowered form, each in memory of its own, from which LLVM takes them into registers.
class Variables {
 public:
  Variables(const lower::Function& source, llvm::IRBuilder<>& b) : source_(source), b_(b) {}

  void allocate(const ModuleEmitter& module);
  /// No variable is ever undefined: a cleanup may look at any of them on any way out.
  void zero();

  llvm::Value* get(lower::VarId v);
  void set(lower::VarId v, llvm::Value* value);
  lower::Scalar type(lower::VarId v) const { return source_.vars[static_cast<size_t>(v)].type; }

 private:
  const lower::Function& source_;
  llvm::IRBuilder<>& b_;
  std::vector<llvm::AllocaInst*> memory_;
};

/// Memory for the descriptors and vr_values of calls. It holds something only around one call, so all calls of the
/// function share it.
class CallMemory {
 public:
  explicit CallMemory(llvm::Function* function) : function_(function) {}

  llvm::Value* descriptor(size_t k);
  llvm::Value* args(size_t values) { return args_.at_least(function_, values); }
  llvm::Value* results(size_t values) { return results_.at_least(function_, values); }
  /// To be called when the whole function is known: sets how many values there are.
  void finish();

 private:
  struct Values {
    const char* name;
    llvm::AllocaInst* memory = nullptr;
    size_t size = 0;
    llvm::Value* at_least(llvm::Function* function, size_t values);
  };

  llvm::Function* function_;
  std::vector<llvm::AllocaInst*> descriptors_;
  Values args_{"args.memory"}, results_{"results.memory"};
};

}  // namespace vr::codegen::llvm_backend
