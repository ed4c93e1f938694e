#include "codegen/llvm/jit.hpp"

#include "codegen/llvm/compilation.hpp"
#include "codegen/llvm/emit.hpp"
#include "codegen/llvm/fatal.hpp"
#include "codegen/llvm/optimise.hpp"
#include "codegen/llvm/session.hpp"
#include "codegen/llvm/target.hpp"
#include "loop/verify/check.hpp"
#include "support/fork_gate.hpp"
#include "support/memory_reserve.hpp"
#include "support/settings.hpp"
#include "support/trace.hpp"

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>

namespace vr::codegen::llvm_backend {
namespace {

Error no_memory(const std::string& module) {
  return make_error(Code::OutOfMemory, "no memory to compile module '" + module + "'");
}

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return stream.str();
}

class Compiled : public CompiledModule {
 public:
  vr_entry entry(const std::string& name) const override {
    auto it = entries_.find(name);
    return it == entries_.end() ? nullptr : it->second;
  }
  std::string llvm_ir() const override { return llvm_ir_; }
  std::string assembly() const override { return assembly_; }
  const std::string& object() const override { return object_; }
  vr_region** region(const std::string& name) const override {
    auto it = regions_.find(name);
    return it == regions_.end() ? nullptr : it->second;
  }
  size_t object_bytes() const override { return object_bytes_; }
  const Exports& exports() const override { return exports_; }
  const std::string& left_out() const override { return left_out_; }
  /// Links the object file and looks up its exports.
  Status link(llvm::SmallVector<char, 0> object, const std::string& module, Exports exports, bool debug) {
    trace::Span span("LLVM", "link");
    exports_ = std::move(exports);
    object_bytes_ = object.size();
    std::vector<std::string> symbols;
    for (const std::string& n : exports_.entries) symbols.push_back(symbol_of(n));
    for (const std::string& n : exports_.regions) symbols.push_back(region_symbol_of(n));
    auto code = load_object(std::move(object), module, symbols, debug);
    if (!code) return code.error();
    const std::vector<void*>& found = (*code)->addresses();
    size_t i = 0;
    for (const std::string& n : exports_.entries) entries_[n] = reinterpret_cast<vr_entry>(found[i++]);
    for (const std::string& n : exports_.regions) regions_[n] = static_cast<vr_region**>(found[i++]);
    code_ = std::move(*code);
    return {};
  }
  double optimise_ms() const override { return optimise_ms_; }
  double codegen_ms() const override { return codegen_ms_; }

  std::unique_ptr<LoadedCode> code_;
  Exports exports_;
  size_t object_bytes_ = 0;
  std::map<std::string, vr_entry> entries_;
  std::map<std::string, vr_region**> regions_;
  std::string llvm_ir_, assembly_, object_, left_out_;
  double optimise_ms_ = 0, codegen_ms_ = 0;
};

}  // namespace

Result<std::unique_ptr<CompiledModule>> compile(const lower::Module& m, const KernelPrograms& kernels,
                                                const JitOptions& options) {
  if (std::string wrong = lower::check(m); !wrong.empty()) return internal_error(m.name, wrong);
  NoForkNow no_fork;
  const HostTarget& host = host_target();
  if (!host.error.empty()) return internal_error(m.name, host.error);
  int level = std::clamp(options.opt_level, 0, 3);
  auto over = [&](double more_ms) { return options.clock && options.clock->over(more_ms); };
  const char* left_out = "";
  if (level > 0 && over(0)) {
    level = 0;
    left_out = "code is not optimised";
  }

  std::unique_ptr<Compilation> compilation;
  auto result = std::make_unique<Compiled>();
  TargetLease target(level);
  if (!target) return internal_error(m.name, "no code generator for " + host.triple);
  auto object = std::make_unique<llvm::SmallVector<char, 0>>();
  std::string failure;
  bool cancelled = false;
  warm_up();
  const Ending ending = catch_fatal_errors([&] {
    compilation = std::make_unique<Compilation>();
    auto start = std::chrono::steady_clock::now();
    {
      trace::Span span("LLVM", "emit");
      compilation->module = emit(m, kernels, host, compilation->context, {options.debug, level > 0});
    }
    if (must_verify()) failure = verify(*compilation->module);
    if (!failure.empty()) return;
    {
      trace::Span span("LLVM", "optimise");
      span.note("level", level);
      optimise(*compilation->module, *target, level, [&] {
        if (MemoryReserve::used() || (options.cancelled && options.cancelled())) return true;
        if (level == 0 || !over(0)) return false;
        left_out = "code is optimised in part";
        return true;
      });
    }
    if (MemoryReserve::used()) return;
    if (options.cancelled && options.cancelled()) {
      cancelled = true;
      return;
    }
    if (options.keep_text) result->llvm_ir_ = text_of(*compilation->module);
    result->optimise_ms_ = ms_since(start);
    if (options.keep_text) result->assembly_ = generate_assembly(*compilation->module, *target);
    start = std::chrono::steady_clock::now();
    trace::Span span("LLVM", "codegen");
    const double expected = level > 0 ? selection_ms(*compilation->module) : 0;
    span.note("expected us", static_cast<int64_t>(expected * 1e3));
    if (level > 0 && over(expected)) {
      target->setOptLevel(llvm::CodeGenOptLevel::None);
      target->setFastISel(true);
      if (!*left_out) left_out = "instructions are selected quickly";
    }
    if (!generate_object(*compilation->module, *target, *object))
      failure = "cannot write object files for " + host.triple;
    result->codegen_ms_ = ms_since(start);
  });
  if (!ending.done()) {
    // LLVM may have left these in an inconsistent state; they must not be touched again, so they are leaked.
    (void)compilation.release();
    (void)object.release();
    (void)result.release();
    target.abandon();
    return ending.kind == Ending::Kind::NoMemory ? no_memory(m.name) : internal_error(m.name, ending.text);
  }
  if (MemoryReserve::used()) return no_memory(m.name);
  if (cancelled) return make_error(Code::Interrupted, "compiling module '" + m.name + "' was given up");
  if (failure.empty()) failure = compilation->errors;
  if (!failure.empty()) return internal_error(m.name, failure);

  result->left_out_ = left_out;
  Exports exports;
  for (const auto& f : m.functions) {
    if (f->kind != lower::Function::Kind::Entry) continue;
    exports.entries.push_back(f->name);
    if (f->region) exports.regions.push_back(f->name);
  }
  if (options.keep_object) result->object_.assign(object->begin(), object->end());
  auto start = std::chrono::steady_clock::now();
  if (Status s = result->link(std::move(*object), m.name, std::move(exports), options.debug); !s) return s.error();
  result->codegen_ms_ += ms_since(start);
  return std::unique_ptr<CompiledModule>(std::move(result));
}

Result<std::unique_ptr<CompiledModule>> load(std::string_view object, const std::string& module, const Exports& exports,
                                             bool debug) {
  NoForkNow no_fork;
  // The linker needs LLVM's target for relocations.
  if (const HostTarget& host = host_target(); !host.error.empty()) return internal_error(module, host.error);
  auto result = std::make_unique<Compiled>();
  if (Status s = result->link({object.begin(), object.end()}, module, exports, debug); !s) return s.error();
  return std::unique_ptr<CompiledModule>(std::move(result));
}

std::string target_identity() {
  const HostTarget& host = host_target();
  return host.triple + " " + host.cpu + " " + host.features + " LLVM " LLVM_VERSION_STRING;
}

bool debug_wanted() { return settings::on(settings::Name::VR_GDB) || settings::on(settings::Name::VR_PERF); }

Result<std::string> emit_text(const lower::Module& m, const KernelPrograms& kernels) {
  if (std::string wrong = lower::check(m); !wrong.empty()) return internal_error(m.name, wrong);
  Compilation compilation;
  compilation.module = emit(m, kernels, host_target(), compilation.context, {});
  if (std::string wrong = verify(*compilation.module); !wrong.empty()) return internal_error(m.name, wrong);
  return text_of(*compilation.module);
}

}  // namespace vr::codegen::llvm_backend
