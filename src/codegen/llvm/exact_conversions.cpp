#include "codegen/llvm/exact_conversions.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <cmath>
#include <vector>

namespace vr::codegen::llvm_backend {

namespace {

using namespace llvm;

// Whether the branch goes to `to` only if |x| < limit, with a limit of at most 2^bits.
bool bounds(const BranchInst& branch, const BasicBlock* to, const Value* x, int bits) {
  using namespace PatternMatch;
  if (branch.getSuccessor(0) == branch.getSuccessor(1)) return false;
  FCmpInst::Predicate predicate;
  const APFloat* limit = nullptr;
  if (!match(branch.getCondition(), m_FCmp(predicate, m_Intrinsic<Intrinsic::fabs>(m_Specific(x)), m_APFloat(limit))))
    return false;
  const auto holds = branch.getSuccessor(0) == to ? predicate : FCmpInst::getInversePredicate(predicate);
  return holds == FCmpInst::FCMP_OLT && limit->convertToDouble() <= std::ldexp(1.0, bits);
}

bool fits(const IntrinsicInst& conversion) {
  const Value* x = conversion.getArgOperand(0);
  const int bits = static_cast<int>(conversion.getType()->getIntegerBitWidth()) - 1;
  constexpr int most_blocks = 8;
  const BasicBlock* block = conversion.getParent();
  for (int k = 0; k < most_blocks; ++k) {
    const BasicBlock* before = block->getSinglePredecessor();
    if (!before) return false;
    auto* branch = dyn_cast<BranchInst>(before->getTerminator());
    if (branch && branch->isConditional() && bounds(*branch, block, x, bits)) return true;
    block = before;
  }
  return false;
}

}  // namespace

PreservedAnalyses ExactConversions::run(Function& f, FunctionAnalysisManager&) {
  std::vector<IntrinsicInst*> found;
  for (Instruction& i : instructions(f))
    if (auto* call = dyn_cast<IntrinsicInst>(&i);
        call && call->getIntrinsicID() == Intrinsic::fptosi_sat && call->getType()->isIntegerTy() &&
        (call->getArgOperand(0)->getType()->isDoubleTy() || call->getArgOperand(0)->getType()->isFloatTy()) &&
        fits(*call))
      found.push_back(call);
  for (IntrinsicInst* call : found) {
    IRBuilder<> b(call);
    call->replaceAllUsesWith(b.CreateFPToSI(call->getArgOperand(0), call->getType()));
    call->eraseFromParent();
  }
  if (found.empty()) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace vr::codegen::llvm_backend
