// optimise and generate: LLVM's pass pipelines and its code generator (private to codegen/llvm).
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <string>

namespace vr::codegen::llvm_backend {

/// Runs the pipeline of opt_level (0..3) over the module. When `cancelled` becomes true the rest of it is left out.
void optimise(llvm::Module& module, llvm::TargetMachine& target, int opt_level,
              const std::function<bool()>& cancelled = {});

/// About how long generate_object takes with a level above 0: within a factor of three.
double selection_ms(const llvm::Module& module);
/// Object file of the module; false when the target cannot write one. The module is used up.
bool generate_object(llvm::Module& module, llvm::TargetMachine& target, llvm::SmallVectorImpl<char>& object);

/// Assembly text of the module, which stays as it is.
std::string generate_assembly(const llvm::Module& module, llvm::TargetMachine& target);

/// What is wrong with the module by LLVM's rules; empty when nothing is.
std::string verify(const llvm::Module& module);

}  // namespace vr::codegen::llvm_backend
