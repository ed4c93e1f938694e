// The options of `vrir run`; shared by run.cpp (one call) and run_cases.cpp (all cases of a file).
#pragma once
#include "tool/commands.hpp"
#include "tool/guard_host.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vr::tool {

struct RunOptions {
  std::string file;
  std::string function;
  std::vector<std::string> args;
  std::string case_spec;   ///< FILE.cases.json#N
  std::string cases_file;  ///< FILE.cases.json
  std::vector<std::string> on;
  ir::Dialect dialect = ir::Dialect::Vrir;
  int opt_level = 2;
  int64_t parallel_threshold = default_parallel_threshold;
  int threads = 0;
  std::string device, devices;
  bool guard = false;  ///< on the guarding host instead of the built-in one
  bool force_checks = false;
  bool debug_info = false;
  bool tiered = false;
  std::optional<RegionMode> regions;
  int region_versions = 5;
  int compile_budget = Options().compile_budget;
  std::vector<std::string> skip;
  int64_t step_limit = 0;
  int64_t memory_limit = 0;
  bool time = false;
  int repeat = 10;
  bool report = false, report_compiled = false;
  bool stats = false;
  std::string out;
  uint64_t seed = 0;
  int precision = 0;
  double rtol = 0;  ///< 0: the defaults of each element type
};

/// The requested mode. Without a request: on, if a function is called often enough that a version may be used.
inline RegionMode region_mode(const RunOptions& o) {
  return o.regions.value_or(o.time || !o.cases_file.empty() ? RegionMode::Background : RegionMode::Off);
}
/// The named targets, in order; the engine's default if none was named.
inline std::vector<std::string> targets(const RunOptions& o) {
  return o.on.empty() ? std::vector<std::string>{"cpu-par"} : o.on;
}

/// An engine for the target, and the file loaded into it.
struct Loaded {
  std::string target;
  std::shared_ptr<GuardHost> guard;  ///< with RunOptions::guard
  Engine engine;
  Module module;
};
Result<Loaded> load_for(const Io& io, const RunOptions& o, const std::string& target);
/// The named function, or the only one of the module; the error NOT_FOUND lists the module's functions.
Result<Function> find_function(const Loaded& loaded, const RunOptions& o, const std::string& name);
/// Calls a function of the module on the requested host. Errors found by a guarding host are returned as an error with
/// code HOST, whatever the function returned. `args` may be modified.
Result<std::vector<Value>> call(const Loaded& loaded, const Function& f, std::span<const Value> args);
void print_report(Io& io, const Loaded& loaded);

/// The function that case N of `FILE.cases.json#N` calls, and its arguments converted for that function.
Result<std::string> case_function(const Io& io, const std::string& spec);
Result<std::vector<Value>> case_arguments(const Io& io, const std::string& spec, const ir::Type& function);
/// Runs every case of o.cases_file on every target; exit_ok only when none failed.
int run_cases(Io& io, const RunOptions& o);

}  // namespace vr::tool
