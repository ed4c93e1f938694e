// The stack frame of one function: the lowered form's variables, and memory for calls (private to codegen/llvm).
#pragma once
#include "codegen/llvm/emit_module.hpp"

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace vr::codegen::llvm_backend {

/// Memory in the function's frame, allocated at the function's entry.
llvm::AllocaInst* entry_alloca(llvm::Function* function, llvm::Type* type, unsigned count, const char* name);

/// Variables of the lowered form, each in its own alloca; LLVM promotes them to registers.
class Variables {
 public:
  Variables(const lower::Function& source, llvm::IRBuilder<>& b) : source_(source), b_(b) {}

  void allocate(const ModuleEmitter& module);
  /// No variable is ever undefined: a cleanup may read any of them on any path out.
  void zero();

  llvm::Value* get(lower::VarId v);
  void set(lower::VarId v, llvm::Value* value);
  lower::Scalar type(lower::VarId v) const { return source_.vars[static_cast<size_t>(v)].type; }

 private:
  const lower::Function& source_;
  llvm::IRBuilder<>& b_;
  std::vector<llvm::AllocaInst*> memory_;
};

/// Memory for the descriptors and vr_values of calls. Its contents are needed only around one call, so all calls of the
/// function share it.
class CallMemory {
 public:
  explicit CallMemory(llvm::Function* function) : function_(function) {}

  llvm::Value* descriptor(size_t k);
  llvm::Value* args(size_t values) { return args_.at_least(function_, values); }
  llvm::Value* results(size_t values) { return results_.at_least(function_, values); }
  /// Must be called when the function is complete: sets the number of values.
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
