// Conversions of floats to integers behind a check that the number fits.
#pragma once
#include <llvm/IR/PassManager.h>

namespace vr::codegen::llvm_backend {

/// llvm.fptosi.sat becomes fptosi, which is one instruction, where a branch around it has found |x| < limit (a host whose
/// language raises an error for other numbers writes such checks). Wants expressions simplified and in registers (SROA,
/// InstCombine).
struct ExactConversions : llvm::PassInfoMixin<ExactConversions> {
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager&);
};

}  // namespace vr::codegen::llvm_backend
