// Minima and maxima of widened floats, computed before widening.
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// The minimum or maximum of a float32 widened to float64 and a constant that float32 represents exactly is computed in
/// float32 and then widened: equally exact, with vectors of twice as many elements. InstCombine (LLVM 19) does the same, but
/// exchanges the operands, so that the wrong zero results if one is 0 and the other -0, which are equal. Runs before it.
struct NarrowExtrema : llvm::PassInfoMixin<NarrowExtrema> {
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager&);
};

}  // namespace vr::codegen::llvm_backend
