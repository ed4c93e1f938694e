// Conversions of floats to integers behind a check that the number is in range.
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// Replaces llvm.fptosi.sat by fptosi, which is one instruction, if the code is dominated by a branch that found |x| < limit
/// (hosts whose language raises an error for other numbers emit such checks). Requires simplified expressions in SSA form
/// (SROA, InstCombine).
struct ExactConversions : llvm::PassInfoMixin<ExactConversions> {
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager&);
};

}  // namespace vr::codegen::llvm_backend
