// Excludes loops on which LLVM's loop vectoriser would not finish (private to codegen/llvm).
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// Where iterations are masked (a short loop without a remainder, a condition), LLVM 19's vectoriser moves the operands
/// of a masked store or division behind its condition. It walks the operands path by path, so that the time grows
/// exponentially with the depth of values that are used twice (ten rounds of a random number generator: 2^20 paths).
/// Such loops stay scalar.
struct BoundedSinking : llvm::PassInfoMixin<BoundedSinking> {
  static llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace vr::codegen::llvm_backend
