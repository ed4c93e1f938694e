// Functions that are compiled together, and their code (private to src/engine).
#pragma once
#include "codegen/llvm/jit.hpp"
#include "engine/region.hpp"
#include "lower/lower.hpp"

#include <velociraptor/engine.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vr::engine {

struct EngineState;

/// All functions of a module, or one and what it reaches (Options::lazy). Thread-safe. The code lives as long as this
/// object.
class Unit : public std::enable_shared_from_this<Unit> {
 public:
  /// `ir` is verified, before the passes.
  Unit(std::shared_ptr<EngineState> engine, ir::ModulePtr ir, const ir::Conventions& conventions);

  /// Makes the functions callable, once; concurrent callers wait. With Options::tiered by unoptimised code, while a
  /// background thread makes the optimised code.
  Status compile();
  /// Returns when no better code will be installed.
  void wait();
  /// Whether code of the requested optimisation level serves calls.
  bool optimised() const { return optimised_.load(std::memory_order_acquire); }
  /// There will be no more calls: background work may stop.
  void abandon() { abandoned_.store(true, std::memory_order_relaxed); }

  /// The variable that holds the function's entry, which better code may replace at any time. Null: no such function.
  const std::atomic<vr_entry>* entry(const std::string& function) const;

  // For the dispatchers of this unit's regions (region.hpp).
  const Options& options() const;
  const std::string& file() const { return ir_->file; }
  /// The function of the module after the passes that has this lowered name; null if there is none. Lives as long as
  /// this object.
  const ir::Function* region_function(const std::string& lowered);
  /// Code of the function for arguments of which these facts hold, with all that it calls; adds its times and remarks
  /// to `info`.
  Result<std::unique_ptr<codegen::llvm_backend::CompiledModule>> specialised(const ir::Function& f,
                                                                             const analysis::RegionFacts& facts,
                                                                             RegionInfo& info);
  /// Whether a call has a section open on the device. The runtime identifies a section's kernels by their address in
  /// loaded code, so the code must not be unloaded.
  bool device_at_work() const;
  /// Runs the job in the background, with this unit kept alive; wait() waits for it. If no thread can be made, the job
  /// runs in this call.
  void in_background(std::function<void()> job);

  CompileInfo info() const;
  std::vector<RegionInfo> regions() const;
  std::vector<std::string> report() const;
  /// Optimised LLVM IR, assembly or OpenCL C, of a unit that is made for the dump: ordinary compiles need not keep text
  /// that is rarely wanted.
  Result<std::string> dump(Module::Dump what);

 private:
  using Code = codegen::llvm_backend::CompiledModule;

  using Programs = codegen::llvm_backend::KernelPrograms;

  Status compile_now();
  Result<std::unique_ptr<Code>> specialised_now(const ir::Function& f, const analysis::RegionFacts& facts,
                                                RegionInfo& info);
  Result<bool> load_cached(const std::string& key);
  Result<ir::ModulePtr> passed(CompileInfo& info, const CompileClock& clock);
  Result<std::unique_ptr<lower::Module>> lowered(const ir::Module& module, CompileInfo& info, const CompileClock& clock,
                                                 const lower::Specialisation* specialisation = nullptr) const;
  Result<Programs> kernels(const lower::Module& lowered, CompileInfo& info) const;
  Result<std::unique_ptr<Code>> generate(const lower::Module& lowered, const Programs& kernels, int opt_level,
                                         bool keep_text, const CompileClock& clock, double& ms) const;
  void tell_left_out(const Code& code, std::vector<std::string>& report) const;
  void publish(std::unique_ptr<Code> code);
  void store(const std::string& key, const Code& code, const std::vector<std::string>& report) const;
  Result<std::unique_ptr<Code>> from_cache(const std::string& key, std::vector<std::string>* report) const;
  std::string cache_key() const;
  void improve(const lower::Module& lowered, const Programs& kernels, const std::string& key);

  const std::shared_ptr<EngineState> engine_;
  const ir::ModulePtr ir_;
  const ir::Conventions conventions_;
  std::atomic<bool> abandoned_{false}, optimised_{false};

  struct Compiling {
    std::mutex mutex;  ///< held by compile()
    bool done = false;
    Status outcome;
  } compiling_;
  struct Passing {
    std::mutex mutex;                   ///< taken with NoForkNow
    ir::ModulePtr module;               ///< ir_ after the passes; null: not yet
    std::vector<std::string> left_out;  ///< for want of time (Options::compile_budget)
  } passing_;

  mutable std::mutex mutex_;  ///< protects the members below that the background changes; taken with NoForkNow
  int jobs_ = 0;              ///< background jobs of this unit that have not finished
  CompileInfo info_;
  std::vector<std::string> report_;
  std::map<std::string, std::unique_ptr<Region>> regions_;  ///< by the names of their lowered functions
  std::vector<std::unique_ptr<Code>> code_;                 ///< best last; calls may still run in the others
  std::unique_ptr<std::atomic<vr_entry>[]> entries_;        ///< one for each of ir_'s functions
};

}  // namespace vr::engine
