// State shared by all compiled functions of the process: the engine, the settings, and the counts that vr.report shows.
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

/// Counts for one function and given argument classes.
struct Use {
  std::string function;
  std::string arguments;  ///< "double Nx1, double; 1 result"
  std::string state;      ///< "compiled", "refused", "given up"
  std::string reason;     ///< why it was refused
  double compile_ms = 0;  ///< total compile time
  double trees_ms = 0, types_ms = 0, code_ms = 0;  ///< its phases: Octave's trees; types and VRIR; the engine
  int64_t answered = 0, interpreted = 0;
  std::map<std::string, int64_t> bails;  ///< calls that bailed out, by reason
  std::vector<std::string> remarks;
  std::optional<Module>
      module;  ///< of the newest version; Module::report lists what did not run where it was requested
};

struct Settings {
  bool enabled = true;
  int versions = 32;  ///< maximum number of versions of one function
  Options options;
  Settings() {
    options.tiered = true;
    options.lazy = true;
  }
};

/// A singleton, made on first use and never destroyed: threads of the engine may outlive main().
class Host {
 public:
  static Host& get();
  /// The engine for the current settings. Throws an Octave error if it cannot be made.
  Engine& engine();
  /// Functions are compiled again after this.
  void change(const Settings& settings);
  const Settings& settings() const { return settings_; }
  /// Changes whenever the settings change.
  int generation() const { return generation_; }

  std::shared_ptr<Use> use(const std::string& function, const std::string& arguments);
  const std::vector<std::shared_ptr<Use>>& uses() const { return uses_; }
  /// Resets the counts; functions are compiled again.
  void forget();
  /// Waits for the optimised code of all modules (settings.options.tiered).
  void wait();
  void add(const Module& module) { modules_.push_back(module); }

  /// A running call calls this if Octave has caught a signal, so that Octave handles it. If the result is not 0, the
  /// call ends, and `rethrow` throws the exception of the handler.
  int32_t poll();
  void rethrow();
  bool interrupted() const { return pending_ != nullptr; }
  /// An exception for `rethrow`.
  void keep(std::exception_ptr e) { pending_ = std::move(e); }

 private:
  Settings settings_;
  std::unique_ptr<Engine> engine_;
  int generation_ = 0;
  std::vector<std::shared_ptr<Use>> uses_;
  std::vector<Module> modules_;  ///< modules whose optimised code may not be ready
  std::exception_ptr pending_;
};

}  // namespace vr::octave_host
