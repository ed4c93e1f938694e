// The loop transformations: their table, and the function that runs them (with the same skip, dump, time and verify for each).
#pragma once
#include "lower/lower.hpp"
#include "pipeline/pipeline.hpp"

namespace vr::pipeline {

struct LoopPass {
  const char* name;  ///< the name of its file, function and test folder, and in options
  const char* description;
  void (*run)(lower::Module&, const lower::PassOptions&);
  bool required = false;  ///< later stages need it: VR_SKIP and `skip` reject its name
};
/// All loop transformations in the order in which they run. The last is linearise.
const std::vector<LoopPass>& loop_table();

struct LoopRun {
  std::vector<std::string> passes;  ///< only these, in this order; empty: all of the table
  std::vector<std::string> skip;    ///< in addition to VR_SKIP=a,b; names of passes over trees are accepted, too
  bool linear = true;               ///< false: without linearise, so that the result is the loop form
  bool verify = false;              ///< check after each pass (INTERNAL names the pass with an invalid result)
  /// Called after each pass that ran, with its result; VR_DUMP=a,b also prints it to stderr.
  std::function<void(const LoopPass&, const lower::Module&)> after;
};

/// Runs passes over a module in the loop form. Error USAGE if a named pass does not exist or must not be skipped.
Status run_loop_passes(lower::Module& module, const lower::PassOptions& options, const LoopRun& run = {},
                       std::vector<PassTime>* times = nullptr);

/// A verified module of trees -> the loop form -> the loop transformations. Errors of lower() and run_loop_passes().
Result<std::unique_ptr<lower::Module>> lower_and_run(const ir::Module& module, const ir::Conventions& conventions,
                                                     const lower::LowerOptions& options, const LoopRun& run = {},
                                                     std::vector<PassTime>* times = nullptr);

}  // namespace vr::pipeline
