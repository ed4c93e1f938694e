// The state behind the handles Engine, Module and Function (private to src/engine).
#pragma once
#include "engine/object_cache.hpp"
#include "engine/unit.hpp"
#include "loop/pass.hpp"
#include "runtime/cpu/external.hpp"
#include "runtime/gpu/on_host.hpp"
#include "runtime/gpu/session.hpp"

#include <velociraptor/engine.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vr::engine {

struct ModuleState;

/// Handles of the host own the pointer that held_by_host returns; units, which background jobs keep alive after the
/// last handle is gone, own shared_from_this(). So the host's functions are released by the host's own thread, at the
/// latest when it destroys its last handle: after that the host may unload their code.
struct EngineState : std::enable_shared_from_this<EngineState> {
  Options options;
  HostBinding binding;
  int threads = 1;
  bool debug = false;                 ///< line tables are wanted
  std::unique_ptr<gpu::Session> gpu;  ///< Target::OpenCL only
  lower::PassOptions forms;           ///< those of kernels that suit the device; without one the defaults
  ObjectCache cache{"", 0};
  int64_t generation = 0;  ///< of the process; a forked child has another one
  std::mutex mutex;        ///< protects all members below; taken with NoForkNow
  std::vector<std::weak_ptr<ModuleState>> modules;  ///< those that may still exist
  struct Bound {
    ir::Type type;
    std::shared_ptr<const runtime::External> function;
  };
  std::map<std::string, Bound> bound;  ///< Engine::bind
};

/// A pointer to `state`; when its last copy is destroyed, the functions bound by the host are released.
std::shared_ptr<EngineState> held_by_host(std::shared_ptr<EngineState> state);

struct ModuleState {
  std::shared_ptr<EngineState> engine;  ///< of held_by_host
  ir::Dialect dialect = ir::Dialect::Vrir;
  Target target = Target::CpuParallel;
  ir::ModulePtr ir;  ///< verified, before the passes
  ir::Conventions conventions;
  std::vector<Diagnostic> remarks;
  runtime::Externals externals;  ///< the host functions that it declares
  CompileInfo info;  ///< of parsing and verifying
  mutable gpu::OnHost on_host;  ///< device work of its calls that fell back to the CPU
  mutable std::mutex mutex;
  /// Empty on Target::Interp. With Options::lazy by the name of the requested function, else one unit named "".
  std::map<std::string, std::shared_ptr<Unit>> units;

  ~ModuleState() {
    for (auto& [name, unit] : units) unit->abandon();
  }
};

struct FunctionState {
  std::shared_ptr<ModuleState> module;
  const ir::Function* ir = nullptr;
  const std::atomic<vr_entry>* entry = nullptr;  ///< null on Target::Interp
  bool has_sections = false;                     ///< it, or a function that it reaches
};

/// The number of fork()s between the first process and this one.
int64_t process_generation();

/// What Function::call_resident asks for.
struct Residence {
  int64_t group;
  std::vector<bool>& results;  ///< which stay on the device: filled in by the call
};

/// Runs the function on the engine's host (call.cpp). residence: null, or arrays among the results stay on the device.
Result<std::vector<Value>> call(const FunctionState& f, std::span<const Value> args, Residence* residence = nullptr);

}  // namespace vr::engine
