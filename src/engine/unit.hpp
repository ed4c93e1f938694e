// Functions that are compiled together, and their code (private to src/engine).
#pragma once
#include "codegen/llvm/jit.hpp"
#include "lower/lowered.hpp"

#include <velociraptor/engine.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vr::engine {

struct EngineState;

/// All functions of a module, or one and what it reaches (Options::lazy). Thread-safe. The code lives as long as this.
class Unit : public std::enable_shared_from_this<Unit> {
 public:
  /// `ir` is verified, before the passes.
  Unit(std::shared_ptr<EngineState> engine, ir::ModulePtr ir, const ir::Conventions& conventions);

  /// Makes the functions callable, once; who comes meanwhile waits. With Options::tiered by quick code (no optimisation),
  /// while a background thread makes the better one.
  Status compile();
  /// Returns when nothing better will come.
  void wait();
  /// Whether code of the asked level answers calls.
  bool optimised() const { return optimised_.load(std::memory_order_acquire); }
  /// Nobody will call any more: background work may stop.
  void abandon() { abandoned_.store(true, std::memory_order_relaxed); }

  /// Where the function's entry is; what is there may be replaced by better code any time. Null: no such function.
  const std::atomic<vr_entry>* entry(const std::string& function) const;

  CompileInfo info() const;
  std::vector<std::string> report() const;
  /// Optimised LLVM IR, assembly or OpenCL C, of a unit that is made for it: nobody pays at every compile for text that
  /// is rarely looked at.
  Result<std::string> dump(Module::Dump what);

 private:
  using Code = codegen::llvm_backend::CompiledModule;

  Status compile_now();
  Result<bool> load_cached(const std::string& key);
  Result<std::unique_ptr<lower::Module>> lowered(CompileInfo& info) const;
  Status emit_opencl(const lower::Module& lowered);
  Result<std::unique_ptr<Code>> generate(const lower::Module& lowered, int opt_level, bool keep_text,
                                         double& ms) const;
  void publish(std::unique_ptr<Code> code);
  void store(const std::string& key) const;
  std::string cache_key() const;
  void improve(const lower::Module& lowered, const std::string& key);

  const std::shared_ptr<EngineState> engine_;
  const ir::ModulePtr ir_;
  const ir::Conventions conventions_;
  std::atomic<bool> abandoned_{false}, optimised_{false};

  std::mutex compiling_;  ///< held by compile()
  bool compiled_ = false;
  Status outcome_;

  mutable std::mutex mutex_;  ///< of all below that the background changes; taken with NoForkNow
  bool improving_ = false;  ///< the background has work to do for this
  CompileInfo info_;
  std::vector<std::string> report_;
  std::string opencl_source_, opencl_options_;
  std::vector<std::unique_ptr<Code>> code_;  ///< best last; calls may still be in the others
  std::unique_ptr<std::atomic<vr_entry>[]> entries_;  ///< one for each of ir_'s functions
};

}  // namespace vr::engine
