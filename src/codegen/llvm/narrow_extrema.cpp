#include "codegen/llvm/narrow_extrema.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <vector>

namespace vr::codegen::llvm_backend {

namespace {

using namespace llvm;

// The constant in the narrower type; null if that type does not represent it exactly.
Constant* narrowed(Value* v, Type* type) {
  using namespace PatternMatch;
  const APFloat* wide = nullptr;
  if (!match(v, m_APFloat(wide))) return nullptr;
  APFloat narrow = *wide;
  bool loses = false;
  narrow.convert(type->getScalarType()->getFltSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return loses ? nullptr : ConstantFP::get(type, narrow);
}

bool narrow(SelectInst& select) {
  auto* compare = dyn_cast<FCmpInst>(select.getCondition());
  if (!compare || select.getType() != compare->getOperand(0)->getType()) return false;
  Value *a = compare->getOperand(0), *b = compare->getOperand(1), *yes = select.getTrueValue(), *no = select.getFalseValue();
  if (!((yes == a && no == b) || (yes == b && no == a))) return false;
  auto* widened = dyn_cast<FPExtInst>(isa<Constant>(a) ? b : a);
  if (!widened) return false;
  Type* type = widened->getSrcTy();
  auto narrow = [&](Value* v) -> Value* { return v == widened ? widened->getOperand(0) : narrowed(v, type); };
  Value *x = narrow(a), *y = narrow(b);
  if (!x || !y) return false;
  IRBuilder<> builder(&select);
  builder.setFastMathFlags(compare->getFastMathFlags());
  Value* choose = builder.CreateFCmp(compare->getPredicate(), x, y);
  builder.clearFastMathFlags();
  if (isa<FPMathOperator>(&select)) builder.setFastMathFlags(select.getFastMathFlags());
  Value* chosen = builder.CreateSelect(choose, yes == a ? x : y, yes == a ? y : x);
  builder.clearFastMathFlags();
  select.replaceAllUsesWith(builder.CreateFPExt(chosen, select.getType()));
  select.eraseFromParent();
  return true;
}

}  // namespace

PreservedAnalyses NarrowExtrema::run(Function& f, FunctionAnalysisManager&) {
  std::vector<SelectInst*> selects;
  for (Instruction& i : instructions(f))
    if (auto* s = dyn_cast<SelectInst>(&i); s && s->getType()->isFPOrFPVectorTy()) selects.push_back(s);
  bool changed = false;
  for (SelectInst* s : selects) changed |= narrow(*s);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace vr::codegen::llvm_backend
