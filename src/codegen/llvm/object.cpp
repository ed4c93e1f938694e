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
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace vr::codegen::llvm_backend {

namespace {

Error internal(const std::string& module, const std::string& what) {
  return make_error(Code::Internal, "compiling module '" + module + "': " + what);
}

/// What compile_object works on; leaked if LLVM fails in the middle.
struct Work {
  std::optional<HostTarget> target;
  std::unique_ptr<llvm::TargetMachine> machine;
  Compilation compilation;
  llvm::SmallVector<char, 0> object;
  std::string failure;
};

}  // namespace

Status check_target(const std::string& target) {
  std::optional<HostTarget> found;
  // On the heap: a failing LLVM leaves this frame by a jump.
  auto text = std::make_unique<std::string>();
  const Ending ending = catch_fatal_errors([&] { found = target_named(target, *text); });
  if (!ending.done()) return make_error(Code::OutOfMemory, "no memory to look up target '" + target + "'");
  if (!found) return make_error(Code::Usage, *text);
  return {};
}

bool is_c_library_name(const std::string& name) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple(host_target().triple)};
  llvm::LibFunc function;
  return library.getLibFunc(name, function);
}

Result<std::string> compile_object(const lower::Module& m, const std::vector<lower::PlainFunction>& plain,
                                   const ObjectOptions& options) {
  if (std::string wrong = lower::check(m); !wrong.empty()) return internal(m.name, wrong);
  if (Status s = check_target(options.target); !s) return s.error();
  NoForkNow no_fork;
  const int level = std::clamp(options.opt_level, 0, 3);
  auto work = std::make_unique<Work>();
  warm_up();
  const Ending ending = catch_fatal_errors([&] {
    work->target = target_named(options.target, work->failure);
    work->machine = make_machine(*work->target, level);
    if (!work->machine) {
      work->failure = "no code generator for " + work->target->triple;
      return;
    }
    std::unique_ptr<llvm::Module>& module = work->compilation.module;
    module = emit(m, {}, *work->target, work->compilation.context, {options.debug, level > 0});
    add_plain_functions(*module, plain, *work->target);
    // The name, which emit() numbers, is part of the object.
    module->setModuleIdentifier(m.name);
    module->setSourceFileName(m.name);
    if (must_verify()) work->failure = verify(*module);
    if (!work->failure.empty()) return;
    optimise(*module, *work->machine, level, [] { return MemoryReserve::used(); });
    if (MemoryReserve::used()) return;
    if (!generate_object(*module, *work->machine, work->object)) work->failure = "cannot write object files";
  });
  if (!ending.done()) {
    (void)work.release();
    if (ending.kind == Ending::Kind::NoMemory)
      return make_error(Code::OutOfMemory, "no memory to compile module '" + m.name + "'");
    return internal(m.name, ending.text);
  }
  if (MemoryReserve::used()) return make_error(Code::OutOfMemory, "no memory to compile module '" + m.name + "'");
  if (work->failure.empty()) work->failure = work->compilation.errors;
  if (!work->failure.empty()) return internal(m.name, work->failure);
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
    return make_error(Code::OutOfMemory, "no memory to make an archive");
  }
  if (!made->bytes) return make_error(Code::Internal, "making an archive: " + made->failure);
  return made->bytes->getBuffer().str();
}

}  // namespace vr::codegen::llvm_backend
