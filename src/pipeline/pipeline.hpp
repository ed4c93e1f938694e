// The passes and analyses: a table of each, and the function that runs the passes (with the same skip, dump, time and verify for
// each).
#pragma once
#include "analysis/region_facts.hpp"

#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <functional>
#include <string>
#include <vector>

namespace vr::pipeline {

struct PassOptions;

struct PassInfo {
  const char* name;  ///< the name of its file, function and test folder, and in options
  const char* description;
  /// Turns a verified module into a verified module with the same meaning; returns the same pointer if nothing changed.
  ir::ModulePtr (*run)(const ir::ModulePtr&, const ir::Conventions&, const PassOptions&);
};
/// All passes in the order in which they run.
const std::vector<PassInfo>& pass_table();
/// The names of all passes and all loop transformations (loops.hpp): the names that VR_SKIP, VR_DUMP and
/// Options::skip_passes accept.
std::vector<std::string> pass_names();

/// An analysis, with the text that `vrir opt --print-analysis` prints for a function of a verified module.
struct AnalysisInfo {
  const char* name;  ///< the name of its file, function and test folder, and in options
  const char* description;
  std::string (*text)(const ir::Function&, const ir::Module&, const ir::Conventions&);
  /// Instead of `text`, for an analysis that starts from facts about the arguments (`vrir opt --facts`).
  std::string (*text_with_facts)(const ir::Function&, const ir::Module&, const ir::Conventions&,
                                 const analysis::RegionFacts&) = nullptr;
};
const std::vector<AnalysisInfo>& analysis_table();

struct PassOptions {
  std::vector<std::string> passes;  ///< only these, in this order; empty: all of the table
  std::vector<std::string> skip;    ///< in addition to VR_SKIP=a,b
  int inline_limit = 300;           ///< statements that a function may reach by inlining (thesis 5.3)
  bool regions = false;             ///< run outline_regions (thesis chapter 6); also run when `passes` names it
  bool verify = false;              ///< verify after each pass (INTERNAL names the pass with an invalid result)
  /// Called before each pass: if it returns true, the pass is skipped because the time is used up. Null: no pass is
  /// skipped.
  std::function<bool()> in_haste;
  std::vector<std::string>* left_out = nullptr;  ///< gets the names of passes left out; may be null
  /// Called after each pass that ran, with its result; VR_DUMP=a,b also prints it to stderr.
  std::function<void(const PassInfo&, const ir::Module&)> after;
};
struct PassTime {
  std::string name;
  double ms = 0;
  bool changed = false;
};

/// Error USAGE if a named pass does not exist.
Result<ir::ModulePtr> run_passes(ir::ModulePtr module, const ir::Conventions& conventions, const PassOptions& options,
                                 std::vector<PassTime>* times = nullptr);

}  // namespace vr::pipeline
