#include "codegen/llvm/target.hpp"

#include "codegen/llvm/fatal.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/InitializePasses.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <new>
#include <vector>

namespace vr::codegen::llvm_backend {
namespace {

HostTarget describe_host() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  HostTarget host;
  host.triple = llvm::sys::getProcessTriple();
  host.cpu = llvm::sys::getHostCPUName().str();
  llvm::SubtargetFeatures features;
  const llvm::StringMap<bool> found = llvm::sys::getHostCPUFeatures();
  for (const auto& f : found) features.AddFeature(f.getKey(), f.getValue());
  // AMD's gathers are slower than one load per lane (pairwise distances: 2.4 times, docs/performance.md).
  if (llvm::StringRef(host.cpu).starts_with("znver")) features.AddFeature("prefer-no-gather");
  host.features = features.getString();
  host.x86 = llvm::Triple(host.triple).isX86();
  host.half = !host.x86 || found.lookup("f16c");
  host.vector_bits = found.lookup("avx512f") ? 512 : found.lookup("avx2") ? 256 : 128;
  // Vectors of 512 bits on bench/programs: 1.10 times the speed on AMD's Zen 5, whose execution units are as wide; 0.97
  // on Intel's Sapphire Rapids. The scalar remainder of a loop is twice as long.
  if (host.cpu == "znver5" && host.vector_bits == 512) host.preferred_bits = "512";
  std::string error;
  if (!llvm::TargetRegistry::lookupTarget(host.triple, error)) host.error = error;
  return host;
}

constexpr size_t max_idle = 16;

struct Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<llvm::TargetMachine>> idle;
  Pool() { idle.reserve(max_idle); }  // returning a machine needs no memory
};
// Never destroyed: compiles may still run in other threads when the process ends.
Pool& pool() {
  static Pool& p = *new Pool;
  return p;
}

llvm::CodeGenOptLevel codegen_level(int opt_level) {
  switch (opt_level) {
    case 0:
      return llvm::CodeGenOptLevel::None;
    case 1:
      return llvm::CodeGenOptLevel::Less;
    case 2:
      return llvm::CodeGenOptLevel::Default;
    default:
      return llvm::CodeGenOptLevel::Aggressive;
  }
}

std::unique_ptr<llvm::TargetMachine> machine_for(const HostTarget& host) {
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(host.triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  // Only operations with LLVM's `contract` flag may become fused multiply-adds.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  // PIC with the small code model: calls into the host program use the linker's stubs, at whatever address it is.
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(host.triple, host.cpu, host.features, options,
                                                                          llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                          llvm::CodeGenOptLevel::Default, true));
}

}  // namespace

const HostTarget& host_target() {
  static const HostTarget& host = *new HostTarget(describe_host());
  return host;
}

namespace {

/// An architecture for which this LLVM may have a code generator.
struct Architecture {
  llvm::StringRef name;  ///< in names of targets
  llvm::Triple::ArchType type;
  const char* triple;
  const char* baseline;  ///< the processor that every other one can stand in for
  void (*initialise)();  ///< null: there is no code generator
};

#ifdef VR_LLVM_X86
void initialise_x86() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}
#else
constexpr void (*initialise_x86)() = nullptr;
#endif
#ifdef VR_LLVM_AARCH64
void initialise_aarch64() {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}
#else
constexpr void (*initialise_aarch64)() = nullptr;
#endif

constexpr Architecture architectures[] = {
    {"x86_64", llvm::Triple::x86_64, "x86_64-unknown-linux-gnu", "x86-64", initialise_x86},
    {"aarch64", llvm::Triple::aarch64, "aarch64-unknown-linux-gnu", "generic", initialise_aarch64}};

/// "aarch64:cortex-a72" -> the architecture and "cortex-a72". Null: the name does not begin with an architecture.
const Architecture* split(llvm::StringRef name, llvm::StringRef& cpu) {
  const auto [first, rest] = name.split(':');
  for (const Architecture& a : architectures)
    if (a.name == first) {
      cpu = name.contains(':') ? rest : "generic";
      return &a;
    }
  return nullptr;
}

}  // namespace

std::optional<HostTarget> target_named(const std::string& name, std::string& why) {
  const HostTarget& host = host_target();
  const llvm::Triple::ArchType host_type = llvm::Triple(host.triple).getArch();
  llvm::StringRef cpu = name;
  const Architecture* named = split(name, cpu);
  if (!host.error.empty() && !named) {
    why = host.error;
    return std::nullopt;
  }
  if (name == "native") return host;
  const auto* own = std::find_if(std::begin(architectures), std::end(architectures),
                                 [&](const Architecture& a) { return a.type == host_type; });
  HostTarget t;
  t.triple = host.triple;
  const char* baseline = own != std::end(architectures) ? own->baseline : "generic";
  if (named && named->type != host_type) {
    if (!named->initialise) {
      why = "'" + name + "' is no target: this LLVM has no code generator for " + named->name.str();
      return std::nullopt;
    }
    named->initialise();  // LLVM ignores all calls but the first
    t.triple = named->triple;
    t.architecture = named->name.str();
    baseline = named->baseline;
  }
  const llvm::Triple triple(t.triple);
  t.x86 = triple.isX86();
  t.cpu = cpu == "generic" ? baseline : cpu.str();
  constexpr const char* levels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  const auto* level = std::find(std::begin(levels), std::end(levels), t.cpu);
  if (level != std::end(levels)) t.level = static_cast<int>(level - levels) + 1;
  // A query with a valid processor: for others, LLVM prints a complaint.
  HostTarget asked = t;
  asked.cpu = baseline;
  const std::unique_ptr<llvm::TargetMachine> known = machine_for(asked);
  if (!known || cpu.empty() || !known->getMCSubtargetInfo()->isCPUStringValid(t.cpu)) {
    why = "'" + name + "' is no target: there are generic, native, and LLVM's processors for " +
          llvm::Triple::getArchName(triple.getArch()).str() +
          (t.x86 ? ", such as x86-64-v2, x86-64-v3 and x86-64-v4" : "");
    for (const Architecture& a : architectures)
      if (a.type != host_type && a.initialise)
        why += "; for other machines " + a.name.str() + " and " + a.name.str() + ":PROCESSOR";
    return std::nullopt;
  }
  if (llvm::StringRef(t.cpu).starts_with("znver")) t.features = "+prefer-no-gather";
  const std::unique_ptr<llvm::TargetMachine> machine = machine_for(t);
  auto has = [&](const char* feature) { return machine && machine->getMCSubtargetInfo()->checkFeatures(feature); };
  t.half = !t.x86 || has("+f16c");
  t.vector_bits = !t.x86 ? 128 : has("+avx512f") ? 512 : has("+avx2") ? 256 : 128;
  if (t.cpu == "znver5" && t.vector_bits == 512) t.preferred_bits = "512";
  return t;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const HostTarget& target, int opt_level) {
  std::unique_ptr<llvm::TargetMachine> machine = machine_for(target);
  if (machine) {
    machine->setOptLevel(codegen_level(opt_level));
    machine->setFastISel(opt_level == 0);
  }
  return machine;
}

void warm_up() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::PassRegistry& r = *llvm::PassRegistry::getPassRegistry();
    llvm::initializeCore(r);
    llvm::initializeAnalysis(r);
    llvm::initializeTransformUtils(r);
    llvm::initializeScalarOpts(r);
    llvm::initializeCodeGen(r);
    llvm::initializeGlobalISel(r);
    llvm::initializeTarget(r);
  });
}

TargetLease::TargetLease(int opt_level) {
  {
    std::lock_guard lock(pool().mutex);
    if (!pool().idle.empty()) {
      machine_ = std::move(pool().idle.back());
      pool().idle.pop_back();
    }
  }
  if (!machine_) {
    llvm::TargetMachine* made = nullptr;
    if (!catch_fatal_errors([&] { made = machine_for(host_target()).release(); }).done()) throw std::bad_alloc();
    machine_.reset(made);
  }
  if (machine_) {
    machine_->setOptLevel(codegen_level(opt_level));
    machine_->setFastISel(opt_level == 0);
  }
}

TargetLease::~TargetLease() {
  if (!machine_) return;
  std::lock_guard lock(pool().mutex);
  if (pool().idle.size() < max_idle) pool().idle.push_back(std::move(machine_));
}

}  // namespace vr::codegen::llvm_backend
