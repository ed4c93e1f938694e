// optimise and generate: LLVM's pass pipelines and its code generator (private to codegen/llvm).
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <string>

namespace vr::codegen::llvm_backend {

/// Runs the pipeline of opt_level (0..3) over the module. When `cancelled` returns true, the remaining passes are skipped.
void optimise(llvm::Module& module, llvm::TargetMachine& target, int opt_level,
              const std::function<bool()>& cancelled = {});

/// Estimate, within a factor of three, of the time in ms that generate_object takes at levels above 0.
double selection_ms(const llvm::Module& module);
/// Object file of the module; false if the target cannot write one. The module is consumed.
bool generate_object(llvm::Module& module, llvm::TargetMachine& target, llvm::SmallVectorImpl<char>& object);

/// Assembly text of the module, which is not changed.
std::string generate_assembly(const llvm::Module& module, llvm::TargetMachine& target);

/// LLVM's message if the module is not valid LLVM IR; empty if it is.
std::string verify(const llvm::Module& module);

}  // namespace vr::codegen::llvm_backend
