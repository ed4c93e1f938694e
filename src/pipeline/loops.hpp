// The loop transformations: a table, and one way to run them all (skip, dump, time and verify are the same for each).
#pragma once
#include "lower/lower.hpp"
#include "pipeline/pipeline.hpp"

namespace vr::pipeline {

struct LoopPass {
  const char* name;  ///< the pass's one word: file, function, test folder, switch
  const char* description;
  void (*run)(lower::Module&, const lower::PassOptions&);
  bool required = false;  ///< what comes after needs it: VR_SKIP and `skip` refuse its name
};
/// All loop transformations in the order in which they run. The last is linearise.
const std::vector<LoopPass>& loop_table();

struct LoopRun {
  std::vector<std::string> passes;  ///< only these, in this order; empty: all of the table
  std::vector<std::string> skip;    ///< besides VR_SKIP=a,b; names of passes over trees are no error
  bool linear = true;               ///< false: all but linearise, which leaves the loop form
  bool verify = false;              ///< check after each pass (INTERNAL names the pass that broke the module)
  /// Called after each pass that ran, with its result; VR_DUMP=a,b prints to stderr besides.
  std::function<void(const LoopPass&, const lower::Module&)> after;
};

/// Runs passes over a module in the loop form. Error USAGE when a named pass does not exist, or has to run.
Status run_loop_passes(lower::Module& module, const lower::PassOptions& options, const LoopRun& run = {},
                       std::vector<PassTime>* times = nullptr);

/// A verified module of trees -> the loop form -> the loop transformations. Errors of lower() and run_loop_passes().
Result<std::unique_ptr<lower::Module>> lower_and_run(const ir::Module& module, const ir::Conventions& conventions,
                                                     const lower::LowerOptions& options, const LoopRun& run = {},
                                                     std::vector<PassTime>* times = nullptr);

}  // namespace vr::pipeline
