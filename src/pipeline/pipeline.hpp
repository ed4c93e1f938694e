// The passes and analyses: a table of each, and one way to run them all (skip, dump, time and verify are the same for
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
  const char* name;  ///< the pass's one word: file, function, test folder, switch
  const char* description;
  /// A verified module in, a verified module with the same meaning out; the same pointer when nothing changed.
  ir::ModulePtr (*run)(const ir::ModulePtr&, const ir::Conventions&, const PassOptions&);
};
/// All passes in the order in which they run.
const std::vector<PassInfo>& pass_table();
/// ... and of all loop transformations (loops.hpp): what VR_SKIP, VR_DUMP and Options::skip_passes may name.
std::vector<std::string> pass_names();

/// What `vrir opt --print-analysis` prints of a function of a verified module.
struct AnalysisInfo {
  const char* name;  ///< the analysis' one word: file, function, test folder, switch
  const char* description;
  std::string (*text)(const ir::Function&, const ir::Module&, const ir::Conventions&);
  /// In place of `text`, of an analysis that starts from facts about the arguments (`vrir opt --facts`).
  std::string (*text_with_facts)(const ir::Function&, const ir::Module&, const ir::Conventions&,
                                 const analysis::RegionFacts&) = nullptr;
};
const std::vector<AnalysisInfo>& analysis_table();

struct PassOptions {
  std::vector<std::string> passes;  ///< only these, in this order; empty: all of the table
  std::vector<std::string> skip;    ///< besides VR_SKIP=a,b
  int inline_limit = 300;           ///< statements that a function may reach by inlining (thesis 5.3)
  bool regions = false;             ///< run outline_regions (thesis chapter 6); also run when `passes` names it
  bool verify = false;              ///< verify after each pass (INTERNAL names the pass that broke it)
  /// Asked before each pass: whether it is to be left out, because there is no time; null: it never is.
  std::function<bool()> in_haste;
  std::vector<std::string>* left_out = nullptr;  ///< gets their names
  /// Called after each pass that ran, with its result; VR_DUMP=a,b prints to stderr besides.
  std::function<void(const PassInfo&, const ir::Module&)> after;
};
struct PassTime {
  std::string name;
  double ms = 0;
  bool changed = false;
};

/// Error USAGE when a named pass does not exist.
Result<ir::ModulePtr> run_passes(ir::ModulePtr module, const ir::Conventions& conventions, const PassOptions& options,
                                 std::vector<PassTime>* times = nullptr);

}  // namespace vr::pipeline
