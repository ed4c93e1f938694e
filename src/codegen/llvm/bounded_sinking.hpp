// Keeps LLVM's loop vectoriser from loops on which it would not end (private to codegen/llvm).
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// Where iterations are masked (a short loop without a remainder, a condition), LLVM 19's vectoriser moves what a
/// masked store or division needs behind its condition. It walks the operands path by path, so that the time grows
/// exponentially with the depth of values that are used twice (ten rounds of a random number generator: 2^20 paths).
/// Such loops stay scalar.
struct BoundedSinking : llvm::PassInfoMixin<BoundedSinking> {
  static llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace vr::codegen::llvm_backend
