// Extrema of widened floats, chosen before they are widened.
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// The lesser or greater one of a float32 widened to float64 and a constant that float32 holds is chosen in float32 and
/// widened then: as exact, half as wide. It is here for the sake of zeros: InstCombine (LLVM 19) does the same, but
/// exchanges the operands, and where one is 0 and the other -0, which are equal, the other one comes out. Runs before it.
struct NarrowExtrema : llvm::PassInfoMixin<NarrowExtrema> {
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager&);
};

}  // namespace vr::codegen::llvm_backend
