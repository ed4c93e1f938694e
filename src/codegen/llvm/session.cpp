#include "codegen/llvm/session.hpp"

#include "codegen/llvm/fatal.hpp"
#include "codegen/llvm/target.hpp"
#include "codegen/llvm/vector_math.hpp"
#include "runtime/abi.h"
#include "support/fork_gate.hpp"
#include "support/memory_reserve.hpp"
#include "support/settings.hpp"

#include <llvm/ExecutionEngine/JITLink/EHFrameSupport.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/DebugObjectManagerPlugin.h>
#include <llvm/ExecutionEngine/Orc/EPCDebugObjectRegistrar.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace vr::codegen::llvm_backend {

namespace orc = llvm::orc;

namespace {

llvm::StringRef name_of(const llvm::jitlink::Symbol& s) {
#if LLVM_VERSION_MAJOR >= 20
  return *s.getName();
#else
  return s.getName();
#endif
}

// Writes the names of functions for `perf`: /tmp/perf-PID.map, a line "address size name" each.
class PerfMap : public orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                        llvm::jitlink::PassConfiguration& config) override {
    config.PostFixupPasses.push_back([this](llvm::jitlink::LinkGraph& graph) {
      std::lock_guard lock(mutex_);
      if (FILE* map = open_map()) {
        for (llvm::jitlink::Symbol* s : graph.defined_symbols())
          if (s->isCallable() && s->hasName())
            std::fprintf(map, "%llx %llx %s\n", static_cast<unsigned long long>(s->getAddress().getValue()),
                         static_cast<unsigned long long>(s->getSize()), name_of(*s).str().c_str());
        std::fclose(map);
      }
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(orc::JITDylib&, orc::ResourceKey) override { return llvm::Error::success(); }
  void notifyTransferringResources(orc::JITDylib&, orc::ResourceKey, orc::ResourceKey) override {}

 private:
  /// The folder is writable by everybody: only a regular file that belongs to this user is accepted.
  static FILE* open_map() {
    const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file < 0) return nullptr;
    struct stat info = {};
    FILE* map = nullptr;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_nlink == 1)
      map = fdopen(file, "a");
    if (!map) close(file);
    return map;
  }

  std::mutex mutex_;
};

// Finds libmvec's functions: they are among the process's symbols only if the program was linked with libmvec.
class VectorMathGenerator : public orc::DefinitionGenerator {
 public:
  llvm::Error tryToGenerate(orc::LookupState&, orc::LookupKind, orc::JITDylib& dylib, orc::JITDylibLookupFlags,
                            const orc::SymbolLookupSet& wanted) override {
    orc::SymbolMap found;
    for (const auto& [name, flags] : wanted) {
      (void)flags;
      if (!(*name).starts_with("_ZGV")) continue;
      if (void* address = vector_math_address((*name).str()))
        found[name] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    }
    return found.empty() ? llvm::Error::success() : dylib.define(orc::absoluteSymbols(std::move(found)));
  }
};

/// One link or unload at a time, in all sessions: two links that need the same new symbol of the process would both
/// define it, and an abandoned session may hold its own locks for ever.
std::mutex& linking() {
  static std::mutex& m = *new std::mutex;
  return m;
}

/// All members are protected by linking().
class Session {
 public:
  static llvm::Expected<Session*> get() {
    if (!current_) {
      auto made = std::unique_ptr<Session>(new Session);
      if (llvm::Error e = made->start()) return e;
      current_ = made.release();
    }
    return current_;
  }
  /// Nothing is linked in this session any more; loaded code stays in memory.
  static void leave_behind(Session* s) {
    if (s) s->left_behind_ = true;
    if (!s || s == current_) current_ = nullptr;
  }
  static Session* current() { return current_; }
  bool left_behind() const { return left_behind_; }

  llvm::Expected<std::unique_ptr<LoadedCode>> load(llvm::SmallVector<char, 0> object, const std::string& name,
                                                   const std::vector<std::string>& symbols, bool debug);
  void unload(orc::JITDylib& dylib) {
    llvm::consumeError(execution_->removeJITDylib(dylib));
    // Otherwise the interned names of unloaded modules would accumulate.
    if (++unloaded_ % 64 == 0) execution_->getSymbolStringPool()->clearDeadEntries();
  }

 private:
  Session() = default;
  llvm::Error start();
  /// The addresses of the symbols, in their order.
  llvm::Expected<std::vector<void*>> link(orc::JITDylib& dylib, llvm::SmallVector<char, 0> object,
                                          const std::string& name, const std::vector<std::string>& symbols);
  void tell_debuggers();

  // Never destroyed: compiled modules may outlive static destructors.
  static inline Session* current_ = nullptr;
  bool left_behind_ = false;
  bool debuggers_ = false;
  std::unique_ptr<orc::ExecutionSession> execution_;
  std::unique_ptr<orc::ObjectLinkingLayer> layer_;
  orc::JITDylib* process_ = nullptr;  ///< what generated code may call
  uint64_t loaded_ = 0, unloaded_ = 0;
};

class CodeInSession : public LoadedCode {
 public:
  CodeInSession(Session& session, orc::JITDylib& dylib, std::vector<void*> addresses)
      : session_(session), dylib_(dylib) {
    addresses_ = std::move(addresses);
  }
  /// Takes linking(): must not be called while it is held.
  ~CodeInSession() override;

 private:
  Session& session_;
  orc::JITDylib& dylib_;
};

CodeInSession::~CodeInSession() {
  NoForkNow no_fork;
  std::lock_guard lock(linking());
  if (session_.left_behind()) return;
  MemoryReserve reserve(false);
  if (!catch_fatal_errors([&] { session_.unload(dylib_); }).done()) Session::leave_behind(&session_);
}

llvm::Error Session::start() {
  auto control = orc::SelfExecutorProcessControl::Create();
  if (!control) return control.takeError();
  execution_ = std::make_unique<orc::ExecutionSession>(std::move(*control));
  // Errors are returned to the caller; by default ORC would print them as well.
  execution_->setErrorReporter([](llvm::Error e) { llvm::consumeError(std::move(e)); });
  layer_ = std::make_unique<orc::ObjectLinkingLayer>(*execution_, execution_->getExecutorProcessControl().getMemMgr());
  if (settings::on(settings::Name::VR_PERF)) layer_->addPlugin(std::make_unique<PerfMap>());

  process_ = &execution_->createBareJITDylib("<process>");
  orc::SymbolMap runtime;
  auto define = [&](const char* name, void* address) {
    runtime[execution_->intern(name)] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  };
#define VR_RT(name, symbol, result, params) define(#symbol, reinterpret_cast<void*>(&symbol));
#include "runtime/abi.def"
  if (llvm::Error e = process_->define(orc::absoluteSymbols(std::move(runtime)))) return e;
  process_->addGenerator(std::make_unique<VectorMathGenerator>());
  // The C library's maths, memcpy and whatever else LLVM generates calls of. libm by name: a host may have been linked without
  // it.
  // libgcc has the helper functions of code generation (__powisf2); a host may have been linked with a hidden copy.
  for (const char* library : {"libm.so.6", "libgcc_s.so.1", static_cast<const char*>(nullptr)}) {
    auto generator = orc::DynamicLibrarySearchGenerator::Load(library, '\0');
    if (generator)
      process_->addGenerator(std::move(*generator));
    else if (!library)
      return generator.takeError();
    else
      llvm::consumeError(generator.takeError());
  }
  return llvm::Error::success();
}

void Session::tell_debuggers() {
  // Modules without line tables have no debug sections; the plugin ignores them.
  layer_->addPlugin(std::make_unique<orc::DebugObjectManagerPlugin>(
      *execution_,
      std::make_unique<orc::EPCDebugObjectRegistrar>(*execution_,
                                                     orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBWrapper)),
      true, true));
  layer_->addPlugin(std::make_unique<orc::EHFrameRegistrationPlugin>(
      *execution_, std::make_unique<llvm::jitlink::InProcessEHFrameRegistrar>()));
}

llvm::Expected<std::unique_ptr<LoadedCode>> Session::load(llvm::SmallVector<char, 0> object, const std::string& name,
                                                          const std::vector<std::string>& symbols, bool debug) {
  if (debug && !std::exchange(debuggers_, true)) tell_debuggers();
  orc::JITDylib& dylib = execution_->createBareJITDylib(name + "#" + std::to_string(loaded_++));
  auto found = link(dylib, std::move(object), name, symbols);
  if (!found) {
    // Not done by a CodeInSession: linking() is held here, and its destructor would lock it again.
    unload(dylib);
    return found.takeError();
  }
  return std::make_unique<CodeInSession>(*this, dylib, std::move(*found));
}

llvm::Expected<std::vector<void*>> Session::link(orc::JITDylib& dylib, llvm::SmallVector<char, 0> object,
                                                 const std::string& name, const std::vector<std::string>& symbols) {
  dylib.addToLinkOrder(*process_);
  auto buffer = std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object), name, false);
  if (llvm::Error e = layer_->add(dylib, std::move(buffer))) return e;
  orc::SymbolLookupSet wanted;
  std::vector<orc::SymbolStringPtr> names;
  for (const std::string& s : symbols) {
    names.push_back(execution_->intern(s));
    wanted.add(names.back());
  }
  auto found = execution_->lookup({{&dylib, orc::JITDylibLookupFlags::MatchAllSymbols}}, std::move(wanted));
  if (!found) return found.takeError();
  std::vector<void*> addresses;
  for (const orc::SymbolStringPtr& s : names) addresses.push_back(found->lookup(s).getAddress().toPtr<void*>());
  return addresses;
}

}  // namespace

Result<std::unique_ptr<LoadedCode>> load_object(llvm::SmallVector<char, 0> object, const std::string& name,
                                                const std::vector<std::string>& symbols, bool debug) {
  std::lock_guard lock(linking());
  // On the heap, because a jump may leave this stack frame in an inconsistent state.
  struct Work {
    llvm::SmallVector<char, 0> object;
    std::unique_ptr<LoadedCode> code;
    std::string failure;
  };
  auto work = std::make_unique<Work>();
  work->object = std::move(object);
  const Ending ending = catch_fatal_errors([&] {
    llvm::Expected<Session*> session = Session::get();
    if (!session) {
      work->failure = llvm::toString(session.takeError());
      return;
    }
    auto code = (*session)->load(std::move(work->object), name, symbols, debug);
    if (code)
      work->code = std::move(*code);
    else
      work->failure = llvm::toString(code.takeError());
  });
  if (!ending.done()) {
    (void)work.release();
    Session::leave_behind(Session::current());
    if (ending.kind == Ending::Kind::NoMemory)
      return make_error(Code::OutOfMemory, "no memory to link module '" + name + "'");
    return make_error(Code::Internal, "linking module '" + name + "': " + ending.text);
  }
  if (!work->code) return make_error(Code::Internal, "compiling module '" + name + "': " + work->failure);
  return std::move(work->code);
}

}  // namespace vr::codegen::llvm_backend
