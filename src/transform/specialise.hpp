// specialise: a version of a function for the arguments that a dispatcher saw (thesis 6.6, 6.7.1): extents and known
// numbers become constants, checks of subscripts that never fail and growth that never happens are turned off.
#pragma once
#include "analysis/integer_programs.hpp"
#include "analysis/region_facts.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <string>

namespace vr::transform {

/// What was proven and changed, for reports and tests.
struct SpecialiseStatistics {
  struct Checks {
    int lower = 0, upper = 0, negative = 0, growth = 0;  ///< dimensions of subscripted arrays that have them
    int total() const { return lower + upper + negative + growth; }
    friend bool operator==(const Checks&, const Checks&) = default;
  };
  Checks before, after;
  int constants = 0;        ///< expressions that became constants
  int uses = 0, known = 0;  ///< uses of arrays, and those whose extents are all known
  int rounds = 0;           ///< of shape inference
  double inference_ms = 0;  ///< shape inference with its integer programs
  double total_ms = 0;
  analysis::ProgramStatistics programs;
  /// A few lines, without times.
  std::string text() const;
};

/// A version of `f`, a verified function of the module, for arguments of which the facts hold: for them it gives the
/// same results and the same errors as `f`; for other arguments the result is undefined. Name, signature and variables
/// do not change. Checks of shapes are kept: with constants they fold when the function is lowered. The facts must fit
/// (analysis::check_region_facts). Safe to call from several threads.
ir::FunctionPtr specialise(const ir::FunctionPtr& f, const ir::Module& module, const ir::Conventions& conventions,
                           const analysis::RegionFacts& facts, SpecialiseStatistics* statistics = nullptr);

}  // namespace vr::transform
