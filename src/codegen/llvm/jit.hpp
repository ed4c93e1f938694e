// The CPU backend: lowered module -> LLVM IR -> optimised -> machine code in this process. The only interface to LLVM; no LLVM
// type appears in it.
#pragma once
#include "loop/form.hpp"
#include "loop/kernel_program.hpp"
#include "runtime/abi.h"
#include "support/compile_clock.hpp"

#include <velociraptor/status.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vr::codegen::llvm_backend {

using lower::KernelProgram;
using lower::KernelPrograms;

struct JitOptions {
  int opt_level = 2;       ///< 0..3
  bool keep_text = false;  ///< keep optimised IR and assembly for dump
  bool keep_object = false;
  bool debug = false;  ///< line tables from lower::Module::places; the code is registered with debuggers
  /// Called between passes: if it returns true, compile() soon ends with INTERRUPTED. May be empty.
  std::function<bool()> cancelled = {};
  /// The compile budget: when it is exceeded, passes that have not begun are skipped, and instructions are selected
  /// quickly (CompiledModule::left_out). Null: no limit.
  const CompileClock* clock = nullptr;
};


/// The symbols that are looked up in a module's code, by the names of lowered functions.
struct Exports {
  std::vector<std::string> entries;  ///< Entry functions
  std::vector<std::string> regions;  ///< those that are called through a dispatcher
};

/// Machine code of one module. Looking up is thread-safe. The code is freed with the object (callers keep it while code runs).
class CompiledModule {
 public:
  virtual ~CompiledModule() = default;
  /// Address of the Entry function with this lowered name; null if there is none.
  virtual vr_entry entry(const std::string& name) const = 0;
  /// Optimised LLVM IR, or assembly (needs keep_text).
  virtual std::string llvm_ir() const = 0;
  virtual std::string assembly() const = 0;
  /// The variable in the code that holds this region function's dispatcher, null at first. Must be set before the code
  /// runs. Null: no such function.
  virtual vr_region** region(const std::string& name) const = 0;
  /// The object file (needs keep_object), its size (always known), and its symbols.
  virtual const std::string& object() const = 0;
  virtual size_t object_bytes() const = 0;
  virtual const Exports& exports() const = 0;
  /// What was skipped to stay within the budget, in words; empty: nothing.
  virtual const std::string& left_out() const = 0;
  virtual double optimise_ms() const = 0;
  virtual double codegen_ms() const = 0;
};

/// Compiles. Thread-safe. Fails with INTERNAL (with LLVM's message) if the module is malformed.
Result<std::unique_ptr<CompiledModule>> compile(const lower::Module& m, const KernelPrograms& kernels,
                                                const JitOptions& options);
/// Code from an object file that compile() made with this target_identity().
Result<std::unique_ptr<CompiledModule>> load(std::string_view object, const std::string& module, const Exports& exports,
                                             bool debug);
/// Whether the environment requests line tables for every module: VR_GDB or VR_PERF is set.
bool debug_wanted();
/// The machine, LLVM's version, and everything else that code depends on besides the lowered module.
std::string target_identity();
/// LLVM IR before optimisation, for tests.
Result<std::string> emit_text(const lower::Module& m, const KernelPrograms& kernels);

}  // namespace vr::codegen::llvm_backend
