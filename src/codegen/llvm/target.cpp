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
  Pool() { idle.reserve(max_idle); }  // returning one needs no memory
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

std::optional<HostTarget> target_named(const std::string& name, std::string& why) {
  const HostTarget& host = host_target();
  if (!host.error.empty()) {
    why = host.error;
    return std::nullopt;
  }
  if (name == "native") return host;
  HostTarget t;
  t.triple = host.triple;
  t.x86 = host.x86;
  t.cpu = name != "generic" ? name : llvm::Triple(host.triple).getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic";
  // Asked with a processor that exists: LLVM prints a complaint about any other.
  const std::unique_ptr<llvm::TargetMachine> known = machine_for(host);
  if (!known || name.empty() || !known->getMCSubtargetInfo()->isCPUStringValid(t.cpu)) {
    why = "'" + name + "' is no target: there are generic, native, and LLVM's processors for " +
          llvm::Triple(host.triple).getArchName().str() +
          (host.x86 ? ", such as x86-64-v2, x86-64-v3 and x86-64-v4" : "");
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
