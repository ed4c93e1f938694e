// The commands of `vrir`, one file per command. A command declares its options on a subcommand and returns the function
// that runs it.
#pragma once
#include "tool/tool.hpp"

#include <velociraptor/engine.hpp>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vr::tool {

using Action = std::function<int(Io&)>;
struct Command {
  CLI::App* app;
  Action run;
  bool any_settings = false;  ///< runs even if environment variables are invalid
};

Command add_cat(CLI::App& root);
Command add_verify(CLI::App& root);
Command add_run(CLI::App& root);
Command add_emit(CLI::App& root);
Command add_opt(CLI::App& root);
Command add_test(CLI::App& root);
Command add_device(CLI::App& root);
Command add_settings(CLI::App& root);
Command add_build(CLI::App& root);
Command add_explain(CLI::App& root);
Command add_bench(CLI::App& root);
Command add_doctor(CLI::App& root);
/// Needs the table of all other commands, which have been added to `root`.
Command add_completion(CLI::App& root);

// ---------------------------------------------------------------- shared by several commands

void dialect_option(CLI::App& app, ir::Dialect& dialect);
/// Names with commas between them; the flag may be given several times. `to` must outlive the parsing.
CLI::Option* list_option(CLI::App& app, const char* flag, std::vector<std::string>& to, const char* help);
/// --device and --devices.
void device_options(CLI::App& app, std::string& device, std::string& devices);
/// `--on`: one target, or with `many` several with commas between.
void target_option(CLI::App& app, std::vector<std::string>& names, bool many);
/// Error USAGE for a name that is not a target.
Result<Target> parse_target(const std::string& name);

/// A module after its dialect and verification.
struct Tree {
  ir::ModulePtr module;
  ir::Conventions conventions;
  std::vector<Diagnostic> remarks;
};
/// Reads and parses; with `verified` also re-infers (mclab) and verifies.
Result<Tree> load_tree(const Io& io, const std::string& file, ir::Dialect dialect, bool verified);

}  // namespace vr::tool
