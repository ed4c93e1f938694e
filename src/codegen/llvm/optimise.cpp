#include "codegen/llvm/optimise.hpp"

#include "codegen/llvm/bounded_sinking.hpp"
#include "codegen/llvm/exact_conversions.hpp"
#include "codegen/llvm/safe_choices.hpp"
#include "codegen/llvm/unsigned_extrema.hpp"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/InjectTLIMappings.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include <mutex>

namespace vr::codegen::llvm_backend {

namespace {

// Some of LLVM's decisions can only be controlled by its options:
// - sums in the order written are vectorised all the same, because the summands can be computed several at a time;
// - no copies of loops are made for unknown strides being 1: ours are in bytes, and never are;
// - no loop strength reduction: addresses are emitted as a pointer for each row and an offset in it, which is what the
//   pass would produce, and it takes a third of code generation;
// - conditional moves stay: minima, maxima and searches in data depend on the data, which branches mispredict.
void set_llvm_options() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto& options = llvm::cl::getRegisteredOptions();
    for (auto [name, value] : {std::pair{"force-ordered-reductions", "true"},
                               {"enable-mem-access-versioning", "false"},
                               {"disable-lsr", "true"},
                               {"x86-cmov-converter", "false"}}) {
      auto it = options.find(name);
      // LLVM tests whether the option was given on the command line; setting only its value has no effect.
      if (it != options.end()) it->second->addOccurrence(1, it->first(), value);
    }
  });
}

// For instruction selection, scheduling and register allocation; the last considers all values in all blocks.
constexpr double ms_a_function = 1, ms_an_instruction = 0.03, ms_a_value_in_a_block = 1e-4;

llvm::SimplifyCFGOptions early_cfg() { return llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true); }

// A pipeline for loops over arrays that runs each step once. LLVM's own pipelines are for programs of any kind: they
// repeat the cleanup passes six to eight times, and copy loops for loop-invariant conditions (unswitching), which
// mostly affects fallback loops with checks. Over bench/programs this pipeline gives code of the same speed in two
// thirds of the compile time.
llvm::ModulePassManager array_pipeline(int opt_level) {
  using namespace llvm;
  const bool vectorise = opt_level >= 2;
  ModulePassManager passes;
  FunctionPassManager scalars;
  scalars.addPass(SROAPass(SROAOptions::ModifyCFG));
  scalars.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  scalars.addPass(ExactConversions());  // before branches become selects
  scalars.addPass(SimplifyCFGPass(early_cfg()));
  scalars.addPass(SafeChoices());
  scalars.addPass(InstCombinePass());
  scalars.addPass(ExactConversions());  // after unreachable code is removed
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(scalars), /*EagerlyInvalidate=*/true));
  // Most inlining happened before (transform/inline_calls); what remains are small recursive and called functions.
  passes.addPass(ModuleInlinerWrapperPass(getInlineParams(static_cast<unsigned>(opt_level), 0)));
  passes.addPass(GlobalDCEPass());

  FunctionPassManager loops;
  LoopPassManager invariants, counters;
  invariants.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  invariants.addPass(LICMPass(LICMOptions()));
  invariants.addPass(SimpleLoopUnswitchPass(/*NonTrivial=*/false, /*Trivial=*/true));
  counters.addPass(LoopIdiomRecognizePass());
  counters.addPass(IndVarSimplifyPass());
  counters.addPass(LoopDeletionPass());
  counters.addPass(LoopFullUnrollPass(opt_level, /*OnlyWhenForced=*/false, /*ForgetSCEV=*/false));
  loops.addPass(createFunctionToLoopPassAdaptor(std::move(invariants), /*UseMemorySSA=*/true));
  loops.addPass(SimplifyCFGPass(early_cfg()));
  loops.addPass(SafeChoices());
  loops.addPass(InstCombinePass());
  loops.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
  loops.addPass(GVNPass());
  loops.addPass(ADCEPass());
  loops.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  loops.addPass(SimplifyCFGPass(early_cfg().hoistCommonInsts(true).sinkCommonInsts(true)));

  if (vectorise) {
    loops.addPass(InjectTLIMappings());
    loops.addPass(BoundedSinking());
    loops.addPass(LoopVectorizePass());
    loops.addPass(LoopLoadEliminationPass());  // keeps y[i - 1] of y[i] = f(y[i - 1]) in a register
    loops.addPass(SafeChoices());
    loops.addPass(InstCombinePass());
  }
  loops.addPass(SimplifyCFGPass(early_cfg()
                                    .forwardSwitchCondToPhi(true)
                                    .convertSwitchToLookupTable(true)
                                    .needCanonicalLoops(false)
                                    .hoistCommonInsts(true)
                                    .sinkCommonInsts(true)));
  if (vectorise) {
    loops.addPass(UnsignedExtrema());
    loops.addPass(SLPVectorizerPass());
    loops.addPass(VectorCombinePass());
  }
  loops.addPass(LoopUnrollPass(LoopUnrollOptions(opt_level)));
  loops.addPass(SafeChoices());
  loops.addPass(InstCombinePass());
  loops.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(loops), /*EagerlyInvalidate=*/true));
  return passes;
}

}  // namespace

void optimise(llvm::Module& module, llvm::TargetMachine& target, int opt_level,
              const std::function<bool()>& cancelled) {
  set_llvm_options();
  module.setDataLayout(target.createDataLayout());
  llvm::PassInstrumentationCallbacks callbacks;
  if (cancelled)
    callbacks.registerShouldRunOptionalPassCallback([&](llvm::StringRef, const llvm::Any&) { return !cancelled(); });
  llvm::PassBuilder builder(&target, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes =
      opt_level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0) : array_pipeline(opt_level);
#if defined(__SANITIZE_ADDRESS__)
  // Generated code is instrumented like the library. It needs no module constructors, because nothing would run them.
  llvm::AddressSanitizerOptions asan;
  asan.UseAfterReturn = llvm::AsanDetectStackUseAfterReturnMode::Never;
  passes.addPass(llvm::AddressSanitizerPass(asan, false, false, llvm::AsanDtorKind::None, llvm::AsanCtorKind::None));
#endif
  passes.run(module, modules);
}

double selection_ms(const llvm::Module& module) {
  double ms = 0;
  for (const llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    const auto values = static_cast<double>(f.getInstructionCount()), blocks = static_cast<double>(f.size());
    ms += ms_a_function + values * ms_an_instruction + values * blocks * ms_a_value_in_a_block;
  }
  return ms;
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
