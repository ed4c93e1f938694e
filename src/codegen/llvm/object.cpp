#include "codegen/llvm/object.hpp"

#include "codegen/llvm/compilation.hpp"
#include "codegen/llvm/emit.hpp"
#include "codegen/llvm/fatal.hpp"
#include "codegen/llvm/optimise.hpp"
#include "codegen/llvm/plain_function.hpp"
#include "codegen/llvm/target.hpp"
#include "loop/verify/check.hpp"
#include "support/fork_gate.hpp"
#include "support/memory_reserve.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

namespace vr::codegen::llvm_backend {

namespace {

/// The objects that compile_object works on; leaked if LLVM fails meanwhile.
struct ObjectWork {
  std::vector<HostTarget> targets;  ///< the least first
  std::unique_ptr<llvm::TargetMachine> machine;
  Compilation compilation;
  llvm::SmallVector<char, 0> object;
  std::string failure;
};

/// No value, with an error: as for check_target.
Result<HostTarget> find_target(const std::string& name) {
  auto found = std::make_unique<std::optional<HostTarget>>();
  // On the heap: a failing LLVM leaves this frame by a jump.
  auto text = std::make_unique<std::string>();
  const Ending ending = catch_fatal_errors([&] { *found = target_named(name, *text); });
  if (!ending.done()) return make_error(Code::OutOfMemory, "no memory to look up target '" + name + "'");
  if (!*found) return make_error(Code::Usage, *text);
  return std::move(**found);
}

Result<std::vector<HostTarget>> find_targets(const std::vector<std::string>& names) {
  std::vector<HostTarget> all;
  for (const std::string& n : names) {
    auto t = find_target(n);
    if (!t) return t.error();
    if (names.size() > 1 && t->level == 0)
      return make_error(Code::Usage, "'" + n +
                                         "': several targets in one library are levels of x86-64: x86-64 "
                                         "(generic), x86-64-v2, x86-64-v3, x86-64-v4");
    for (const HostTarget& other : all)
      if (other.level == t->level) return make_error(Code::Usage, "target '" + n + "' is given twice");
    all.push_back(std::move(*t));
  }
  if (all.empty()) return make_error(Code::Usage, "there is no target");
  std::sort(all.begin(), all.end(), [](const HostTarget& a, const HostTarget& b) { return a.level < b.level; });
  return all;
}

using Module = std::unique_ptr<llvm::Module>;

/// The contents of an object: one version of the functions for each target, and another one with kernels for each.
struct Forms {
  const lower::Module& module;
  const std::vector<lower::PlainFunction>& plain;
  const ObjectOptions& options;
  const DeviceForm* device;
};

/// The lowered functions that the C functions of this version call.
std::set<std::string> entries_of(const std::vector<lower::PlainFunction>& plain, bool device) {
  std::set<std::string> entries;
  for (const lower::PlainFunction& p : plain) {
    if (device && !p.device) continue;
    entries.insert(p.entry);
    for (const lower::PlainVersion& v : device ? p.device_versions : p.versions) entries.insert(v.entry);
  }
  return entries;
}

/// The optimised code for targets[k], with kernels if `device`. The first version also contains the C functions. In the
/// others, the functions that the C functions call have names of their own and external linkage.
Module compile_for(ObjectWork& work, size_t k, bool device, const Forms& forms) {
  const HostTarget& target = work.targets[k];
  const ObjectOptions& options = forms.options;
  const lower::Module& m = device ? forms.device->module : forms.module;
  const std::unique_ptr<llvm::TargetMachine> machine = make_machine(target, options.opt_level);
  if (!machine) {
    work.failure = "no code generator for " + target.triple;
    return nullptr;
  }
  Module module = emit(m, device ? forms.device->programs : lower::KernelPrograms(), target, work.compilation.context,
                       {options.debug, options.opt_level > 0});
  if (k == 0 && !device) {
    add_plain_functions(*module, forms.plain, work.targets);
  } else {
    std::set<std::string> shown;
    for (const std::string& e : entries_of(forms.plain, device)) {
      llvm::Function* f = module->getFunction(symbol_of(e));
      f->setName(symbol_of(e) + version_suffix(k == 0 ? nullptr : &target, device));
      shown.insert(f->getName().str());
    }
    hide_all_but(*module, shown);
  }
  // The name, which emit() numbers, is part of the object.
  module->setModuleIdentifier(m.name);
  module->setSourceFileName(m.name);
  if (must_verify()) work.failure = verify(*module);
  if (!work.failure.empty()) return nullptr;
  optimise(*module, *machine, options.opt_level, [] { return MemoryReserve::used(); });
  return module;
}

/// Code for all targets in one module, where each function states its processor.
void compile_all(ObjectWork& work, const Forms& forms) {
  const size_t kinds = forms.device ? 2 : 1, count = kinds * work.targets.size();
  for (size_t n = 0; n < count && work.failure.empty() && !MemoryReserve::used(); ++n) {
    Module module = compile_for(work, n / kinds, n % kinds == 1, forms);
    if (!module) return;
    if (n == 0)
      work.compilation.module = std::move(module);
    else if (llvm::Linker::linkModules(*work.compilation.module, std::move(module)))
      work.failure = "the forms of the functions cannot be linked";
  }
  if (!work.failure.empty() || MemoryReserve::used()) return;
  if (count > 1) {
    std::set<std::string> shown;
    for (const lower::PlainFunction& p : forms.plain) shown.insert(p.symbol);
    hide_all_but(*work.compilation.module, shown);
  }
  work.machine = make_machine(work.targets.front(), forms.options.opt_level);
  if (!generate_object(*work.compilation.module, *work.machine, work.object))
    work.failure = "cannot write object files";
}

}  // namespace

Status check_target(const std::string& target) {
  auto found = find_target(target);
  if (!found) return found.error();
  return {};
}

Status check_targets(const std::vector<std::string>& targets) {
  auto found = find_targets(targets);
  if (!found) return found.error();
  return {};
}

std::string other_architecture(const std::string& target) {
  auto found = find_target(target);
  return found ? found->architecture : "";
}

bool is_c_library_name(const std::string& name) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple(host_target().triple)};
  llvm::LibFunc function;
  return library.getLibFunc(name, function);
}

Result<std::string> compile_object(const lower::Module& m, const std::vector<lower::PlainFunction>& plain,
                                   const ObjectOptions& options, const DeviceForm* device) {
  if (std::string wrong = lower::check(m); !wrong.empty()) return internal_error(m.name, wrong);
  if (device)
    if (std::string wrong = lower::check(device->module); !wrong.empty()) return internal_error(m.name, wrong);
  auto targets = find_targets(options.targets);
  if (!targets) return targets.error();
  NoForkNow no_fork;
  ObjectOptions how = options;
  how.opt_level = std::clamp(options.opt_level, 0, 3);
  auto work = std::make_unique<ObjectWork>();
  work->targets = std::move(*targets);
  warm_up();
  const Ending ending = catch_fatal_errors([&] { compile_all(*work, {m, plain, how, device}); });
  if (!ending.done()) {
    (void)work.release();
    if (ending.kind == Ending::Kind::NoMemory)
      return make_error(Code::OutOfMemory, "no memory to compile module '" + m.name + "'");
    return internal_error(m.name, ending.text);
  }
  if (MemoryReserve::used()) return make_error(Code::OutOfMemory, "no memory to compile module '" + m.name + "'");
  if (work->failure.empty()) work->failure = work->compilation.errors;
  if (!work->failure.empty()) return internal_error(m.name, work->failure);
  return std::string(work->object.begin(), work->object.end());
}

Result<std::string> make_archive(const std::vector<ArchiveMember>& members) {
  struct Made {
    std::vector<llvm::NewArchiveMember> list;
    std::unique_ptr<llvm::MemoryBuffer> bytes;
    std::string failure;
  };
  auto made = std::make_unique<Made>();
  if (const HostTarget& host = host_target(); !host.error.empty()) return make_error(Code::Internal, host.error);
  const Ending ending = catch_fatal_errors([&] {
    for (const ArchiveMember& m : members) made->list.emplace_back(llvm::MemoryBufferRef(m.object, m.name));
    auto bytes =
        llvm::writeArchiveToBuffer(made->list, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
                                   /*Deterministic=*/true, /*Thin=*/false);
    if (bytes)
      made->bytes = std::move(*bytes);
    else
      made->failure = llvm::toString(bytes.takeError());
  });
  if (!ending.done()) {
    (void)made.release();
    return make_error(Code::OutOfMemory, "no memory to create an archive");
  }
  if (!made->bytes) return make_error(Code::Internal, "making an archive: " + made->failure);
  return made->bytes->getBuffer().str();
}

}  // namespace vr::codegen::llvm_backend
