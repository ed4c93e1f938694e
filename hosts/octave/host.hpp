// What the functions of the process share: the engine, the settings, the counts that vr.report shows.
#pragma once
#include <velociraptor/engine.hpp>

#include <octave/oct.h>

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vr::octave_host {

/// Counts of one function for some classes of arguments.
struct Use {
  std::string function;
  std::string arguments;  ///< "double Nx1, double; 1 result"
  std::string state;      ///< "compiled", "refused", "given up"
  std::string reason;     ///< of a refusal
  double compile_ms = 0;  ///< in all
  double trees_ms = 0, types_ms = 0, code_ms = 0;  ///< parts of it: Octave's trees; types and VRIR; the engine
  int64_t answered = 0, interpreted = 0;
  std::map<std::string, int64_t> bails;  ///< calls that bailed out, by reason
  std::vector<std::string> remarks;
  std::optional<Module>
      module;  ///< of the newest version; Module::report lists what did not run where it was requested
};

struct Settings {
  bool enabled = true;
  int versions = 32;  ///< of one function
  Options options;
  Settings() {
    options.tiered = true;
    options.lazy = true;
  }
};

/// One per process, made when it is first needed and never destroyed: threads of the engine may outlive main().
class Host {
 public:
  static Host& get();
  /// The engine for the present settings. Throws Octave's error when there can be none.
  Engine& engine();
  /// Functions compile anew from now on.
  void change(const Settings& settings);
  const Settings& settings() const { return settings_; }
  /// Is another one after each change of the settings.
  int generation() const { return generation_; }

  std::shared_ptr<Use> use(const std::string& function, const std::string& arguments);
  const std::vector<std::shared_ptr<Use>>& uses() const { return uses_; }
  /// Counts begin anew; functions compile anew.
  void forget();
  /// Waits for the optimised code of all modules (settings.options.tiered).
  void wait();
  void add(const Module& module) { modules_.push_back(module); }

  /// Asked for by a running call while Octave has caught a signal: lets Octave handle it. Not 0: the call ends, and
  /// `rethrow` throws what the handler threw.
  int32_t poll();
  void rethrow();

 private:
  Settings settings_;
  std::unique_ptr<Engine> engine_;
  int generation_ = 0;
  std::vector<std::shared_ptr<Use>> uses_;
  std::vector<Module> modules_;  ///< whose optimised code may not be ready
  std::exception_ptr pending_;
};

}  // namespace vr::octave_host
