#include "codegen/llvm/safe_choices.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <vector>

namespace vr::codegen::llvm_backend {

namespace {

using namespace llvm;
using namespace PatternMatch;

// The value before it was widened from this type, or the constant in it; null where that loses something.
llvm::Value* narrowed(llvm::Value* v, Type* type) {
  if (auto* widened = dyn_cast<FPExtInst>(v)) return widened->getSrcTy() == type ? widened->getOperand(0) : nullptr;
  const APFloat* wide = nullptr;
  if (!match(v, m_APFloat(wide))) return nullptr;
  APFloat narrow = *wide;
  bool loses = false;
  narrow.convert(type->getScalarType()->getFltSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return loses ? nullptr : ConstantFP::get(type, narrow);
}

// The comparisons that a condition consists of.
void add_comparisons(llvm::Value* condition, std::vector<FCmpInst*>& all) {
  if (auto* compare = dyn_cast<FCmpInst>(condition)) all.push_back(compare);
  llvm::Value *a = nullptr, *b = nullptr;
  if (!match(condition, m_LogicalOr(m_Value(a), m_Value(b))) && !match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))) return;
  add_comparisons(a, all);
  add_comparisons(b, all);
}

bool narrow(SelectInst& select) {
  auto* yes = dyn_cast<FPExtInst>(select.getTrueValue());
  auto* no = dyn_cast<FPExtInst>(select.getFalseValue());
  if (!yes && !no) return false;
  Type* type = (yes ? yes : no)->getSrcTy();
  llvm::Value *x = narrowed(select.getTrueValue(), type), *y = narrowed(select.getFalseValue(), type);
  if (!x || !y) return false;
  std::vector<FCmpInst*> compares;
  add_comparisons(select.getCondition(), compares);
  for (FCmpInst* compare : compares) {
    llvm::Value *a = narrowed(compare->getOperand(0), type), *b = narrowed(compare->getOperand(1), type);
    if (!a || !b) continue;
    compare->setOperand(0, a);
    compare->setOperand(1, b);
  }
  IRBuilder<> builder(&select);
  if (isa<FPMathOperator>(&select)) builder.setFastMathFlags(select.getFastMathFlags());
  llvm::Value* chosen = builder.CreateSelect(select.getCondition(), x, y);
  builder.clearFastMathFlags();
  select.replaceAllUsesWith(builder.CreateFPExt(chosen, select.getType()));
  select.eraseFromParent();
  return true;
}

bool compare_without_sign(FCmpInst& compare) {
  llvm::Value* x = nullptr;
  if (!match(compare.getOperand(0), m_FAbs(m_Value(x))) || !match(compare.getOperand(1), m_AnyZeroFP())) return false;
  switch (compare.getPredicate()) {
    case CmpInst::FCMP_OGT:
      compare.setPredicate(CmpInst::FCMP_ONE);
      break;
    case CmpInst::FCMP_UGT:
      compare.setPredicate(CmpInst::FCMP_UNE);
      break;
    case CmpInst::FCMP_OLE:
      compare.setPredicate(CmpInst::FCMP_OEQ);
      break;
    case CmpInst::FCMP_ULE:
      compare.setPredicate(CmpInst::FCMP_UEQ);
      break;
    default:
      return false;
  }
  compare.setOperand(0, x);
  return true;
}

}  // namespace

PreservedAnalyses SafeChoices::run(Function& f, FunctionAnalysisManager&) {
  std::vector<SelectInst*> selects;
  bool changed = false;
  for (Instruction& i : instructions(f)) {
    if (auto* s = dyn_cast<SelectInst>(&i); s && s->getType()->isFPOrFPVectorTy()) selects.push_back(s);
    if (auto* c = dyn_cast<FCmpInst>(&i)) changed |= compare_without_sign(*c);
  }
  for (SelectInst* s : selects) changed |= narrow(*s);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace vr::codegen::llvm_backend
