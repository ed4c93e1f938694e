// region_detection: the potentially interesting regions (PIRs) of a function (thesis 6.2, 6.3, appendix B): runs of
// statements whose array shapes and loop bounds follow from the shapes and values that a few variables have at the
// run's entry.
//
// FindPIR walks a list of statements backward and maintains, at each point, the region that the next statement
// belongs to, its critical shape variables (arrays whose extents must be known there) and its critical value variables
// (whose values must be). A statement *joins* if it can become part of that region. The rules for assignments are in
// region_rules.hpp; for other statements:
// - if/else joins when both branches can be covered completely, with the sets that hold after it. If a branch may give
//   a critical variable another value or shape, the direction matters: the variables of the test become critical
//   values, and if the test does not depend on numbers only, the `if` does not join.
// - A loop joins completely or not at all (TestLoop, to the fixed point): it is tried first with the sets that hold
//   after it, then as the last statement of a new region. For an affine counted loop the variables of the bounds become
//   critical. The thesis requires critical values to be loop-invariant; here a loop does not join if it changes one
//   that the next iteration starts with, or if its own variable is critical and its bounds are not affine. A `while` is
//   a loop without bounds.
// - At `break` the sets after the loop hold, at `continue` those at an iteration's end; both only if the loop is part
//   of the region, which then still has a single exit.
// - pfor is a loop whose private variables start anew in each iteration and are dead after it.
// - An accelerated section joins completely or not at all, like a loop. Nothing inside a section or a pfor is a region.
// - `return` can only be the last statement of a region (which is then the only place where the region is left).
// - Calls of functions, handles, tuple variables and domain variables are never part of a region.
// If a loop or an `if` does not join, its bodies are searched for regions of their own (in the thesis only branches
// are; a region in a loop's body is called in every iteration, but usually with the same shapes and numbers).
#pragma once
#include "analysis/statements.hpp"

#include <map>
#include <set>

namespace vr::analysis {

/// The variables whose shapes or values must be known at a program point. `value` contains numbers (integers, bools,
/// float64) and arrays of integers or bools.
struct CriticalSets {
  std::set<ir::SymbolId> shape, value;
  friend bool operator==(const CriticalSets&, const CriticalSets&) = default;
};

/// A region: statements `first` to `last` of a list.
struct Pir {
  StatementList list;       ///< the list that contains it
  int first = 0, last = 0;  ///< positions in that list
  CriticalSets entry;       ///< what must be known where it begins
};

struct RegionDetection {
  Statements statements;
  std::vector<Pir> regions;  ///< in the order of the text; none overlaps another
  /// For each statement the sets before it; for each list, by its parent's number, the sets at its end. Not defined for
  /// statements outside of the regions.
  std::vector<CriticalSets> before;
  std::map<StatementList, CriticalSets> at_end;
  /// The region of each statement, also of nested ones; -1: none.
  std::vector<int> region;
  bool gave_up = false;  ///< the sets of all statements together would be too large: no regions
  std::string text(const ir::Function& f) const;
};

/// The maximal interesting regions; outer ones are preferred. Interesting (6.2.1) is a loop that works on arrays, or
/// two vector operations (operators and library functions on arrays, gathers, stores to slices), also within one
/// expression. The function must be one of a verified module, best after `simplify`; its body must outlive the result.
/// Calls of library functions by name must have become `libcall`: other calls are treated as calls of functions. Time
/// and memory are bounded, see `gave_up`.
RegionDetection region_detection(const ir::Function& f, const ir::Conventions& conventions);

}  // namespace vr::analysis
