#include "codegen/llvm/unsigned_extrema.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <vector>

namespace vr::codegen::llvm_backend {

using namespace llvm;

PreservedAnalyses UnsignedExtrema::run(Function& f, FunctionAnalysisManager&) {
  using namespace PatternMatch;
  const SimplifyQuery query(f.getDataLayout());
  std::vector<Instruction*> replaced;
  for (Instruction& i : instructions(f)) {
    Value *a = nullptr, *b = nullptr;
    const bool least = match(&i, m_SMin(m_Value(a), m_Value(b)));
    if (!least && !match(&i, m_SMax(m_Value(a), m_Value(b)))) continue;
    if (!isKnownNonNegative(a, query) || !isKnownNonNegative(b, query)) continue;
    IRBuilder<> builder(&i);
    i.replaceAllUsesWith(builder.CreateBinaryIntrinsic(least ? Intrinsic::umin : Intrinsic::umax, a, b));
    replaced.push_back(&i);
  }
  for (Instruction* i : replaced) i->eraseFromParent();
  if (replaced.empty()) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace vr::codegen::llvm_backend
