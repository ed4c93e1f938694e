#include "codegen/llvm/bounded_sinking.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace vr::codegen::llvm_backend {

using namespace llvm;

namespace {

constexpr double most_paths = 1e5;
constexpr unsigned few_iterations = 16;  // below, the vectoriser masks iterations in place of a remainder

/// The number of paths from an instruction of the loop through operands that could be moved; the greatest one.
double operand_paths(Loop& loop, LoopInfo& info) {
  LoopBlocksRPO blocks(&loop);
  blocks.perform(&info);
  DenseMap<const Instruction*, double> paths;
  double greatest = 0;
  for (BasicBlock* block : blocks)
    for (Instruction& i : *block) {
      if (isa<PHINode>(i)) continue;
      double n = 1;
      for (const Use& operand : i.operands())
        if (const auto* from = dyn_cast<Instruction>(operand.get()))
          if (const auto it = paths.find(from); it != paths.end()) n += it->second;
      greatest = std::max(greatest, n);
      if (!i.mayHaveSideEffects() && !i.mayReadFromMemory()) paths[&i] = n;
    }
  return greatest;
}

}  // namespace

PreservedAnalyses BoundedSinking::run(Function& f, FunctionAnalysisManager& analyses) {
  LoopInfo& info = analyses.getResult<LoopAnalysis>(f);
  ScalarEvolution& evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  for (Loop* loop : info.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    const unsigned most = evolution.getSmallConstantMaxTripCount(loop);
    const bool masked = loop->getNumBlocks() > 1 || (most > 0 && most < few_iterations);
    if (masked && operand_paths(*loop, info) > most_paths)
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  }
  return PreservedAnalyses::all();
}

}  // namespace vr::codegen::llvm_backend
