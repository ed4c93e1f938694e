// Choices between floats that InstCombine of LLVM 19 changes wrongly.
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// Rewrites two kinds of choices so that InstCombine, which runs after this pass, keeps their values:
/// - Between a widened float and a constant that the narrower type represents exactly: InstCombine chooses in the narrower
///   type, but exchanges the operands of a minimum or maximum, so that the wrong zero results if one is 0 and the other -0,
///   which are equal. The pass chooses in the narrower type in the order that was written.
/// - By a comparison of |x| with 0: InstCombine combines max(|x|, 0), where NaN is the result if x is NaN, to max(x, 0).
///   The pass compares x instead, as InstCombine does everywhere else.
struct SafeChoices : llvm::PassInfoMixin<SafeChoices> {
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager&);
};

}  // namespace vr::codegen::llvm_backend
