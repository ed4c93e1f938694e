// What stands behind Engine, Module and Function (private to src/engine).
#pragma once
#include "codegen/llvm/jit.hpp"
#include "engine/object_cache.hpp"
#include "runtime/gpu/session.hpp"

#include <velociraptor/engine.hpp>

#include <memory>
#include <string>
#include <vector>

namespace vr::engine {

struct EngineState {
  Options options;
  HostBinding binding;
  int threads = 1;
  bool debug = false;                 ///< line tables are wanted
  std::unique_ptr<gpu::Session> gpu;  ///< Target::OpenCL only
  ObjectCache cache{"", 0};
  int64_t generation = 0;             ///< of the process; a forked child has another one
};

struct ModuleState {
  std::shared_ptr<EngineState> engine;
  ir::ModulePtr ir;  ///< verified, before the passes
  ir::Conventions conventions;
  std::vector<Diagnostic> remarks;
  std::vector<std::string> report;
  CompileInfo info;
  std::string opencl_source, opencl_options;
  std::unique_ptr<codegen::llvm_backend::CompiledModule> code;  ///< null on Target::Interp
};

struct FunctionState {
  std::shared_ptr<ModuleState> module;
  const ir::Function* ir = nullptr;
  vr_entry entry = nullptr;
};

/// Counts fork()s that this process came through.
int64_t process_generation();

/// Runs the function on the engine's host (call.cpp).
Result<std::vector<Value>> call(const FunctionState& f, std::span<const Value> args);

}  // namespace vr::engine
