// Turns minima and maxima of signed integers that cannot be negative into those of unsigned integers (private to
// codegen/llvm).
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// LLVM 19's SLP vectoriser computes a reduction in the narrowest type that holds its operands' unsigned values, and keeps its
/// comparison signed: the smallest of truth values, 0 and 1, becomes that of 0 and -1. Unsigned comparisons are right in any width.
struct UnsignedExtrema : llvm::PassInfoMixin<UnsignedExtrema> {
  static llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager&);
};

}  // namespace vr::codegen::llvm_backend
