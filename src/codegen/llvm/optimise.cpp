#include "codegen/llvm/optimise.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <mutex>

namespace vr::codegen::llvm_backend {

namespace {

llvm::OptimizationLevel pipeline_level(int opt_level) {
  switch (opt_level) {
    case 0:
      return llvm::OptimizationLevel::O0;
    case 1:
      return llvm::OptimizationLevel::O1;
    case 2:
      return llvm::OptimizationLevel::O2;
    default:
      return llvm::OptimizationLevel::O3;
  }
}

}  // namespace

// Two of the loop vectoriser's habits can only be set by its options:
// - sums in the order written are vectorised all the same, for what is added can be computed several at a time;
// - no copies of loops are made for an unknown stride that happens to be 1: ours are in bytes, and never are.
void set_vectoriser_options() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto& options = llvm::cl::getRegisteredOptions();
    for (auto [name, value] :
         {std::pair{"force-ordered-reductions", "true"}, {"enable-mem-access-versioning", "false"}}) {
      auto it = options.find(name);
      // The first counts only when it was given; a value alone would not do.
      if (it != options.end()) it->second->addOccurrence(1, it->first(), value);
    }
  });
}

void optimise(llvm::Module& module, llvm::TargetMachine& target, int opt_level) {
  set_vectoriser_options();
  module.setDataLayout(target.createDataLayout());
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = opt_level >= 2;
  tuning.SLPVectorization = opt_level >= 2;
  tuning.LoopInterleaving = opt_level >= 2;
  llvm::PassBuilder builder(&target, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes = opt_level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                                  : builder.buildPerModuleDefaultPipeline(pipeline_level(opt_level));
  passes.run(module, modules);
}

bool generate_object(llvm::Module& module, llvm::TargetMachine& target, llvm::SmallVectorImpl<char>& object) {
  module.setDataLayout(target.createDataLayout());
  llvm::legacy::PassManager passes;
  llvm::raw_svector_ostream stream(object);
  llvm::MCContext* unused = nullptr;
  if (target.addPassesToEmitMC(passes, unused, stream, /*DisableVerify=*/true)) return false;
  passes.run(module);
  return true;
}

std::string generate_assembly(const llvm::Module& module, llvm::TargetMachine& target) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  copy->setDataLayout(target.createDataLayout());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile, /*DisableVerify=*/true))
    return {};
  passes.run(*copy);
  return text.str().str();
}

std::string verify(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream)) return {};
  return stream.str().empty() ? "broken module" : stream.str();
}

}  // namespace vr::codegen::llvm_backend
