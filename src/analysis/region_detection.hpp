// region_detection: the potentially interesting regions (PIRs) of a function (thesis 6.2, 6.3, appendix B): runs of
// statements whose array shapes and loop bounds follow from the shapes and values that a few variables have at the
// run's entry.
//
// FindPIR goes backward through a list of statements and keeps, at each point, the region that the next statement
// belongs to, its critical shape variables (arrays whose extents must be known there) and its critical value variables
// (whose values must be). The rules for assignments stand in region_rules.hpp; for the others:
// - if/else joins when both branches are covered whole, with the sets that hold behind it. When a branch may give a
//   critical variable another value or shape, which way is taken matters: the variables of the test become critical
//   values, and a test that does not follow from numbers alone keeps the `if` out.
// - A loop joins whole or not at all (TestLoop, to the fixed point): first with the sets that hold behind it, then as
//   the last statement of a new region. Of an affine counted loop the variables of the bounds become critical. Where
//   the thesis wants critical values to be loop-invariant: a loop that changes one which its next iteration starts
//   with does not join, nor one whose own variable is critical though its bounds say nothing of it. A `while` is a
//   loop without bounds.
// - `break` has the sets behind the loop, `continue` those of an iteration's end; both only where the loop is part of
//   the region, which then has one exit all the same.
// - pfor is a loop whose private variables begin anew in each iteration and end with it.
// - An accelerated section joins whole or not at all, like a loop. Nothing inside a section or a pfor is a region.
// - `return` may be the last statement of a region (the region is left there and nowhere else), in no other place.
// - Calls of functions, handles, tuple variables and domain variables stand in no region.
// Where a loop or an `if` does not join, its bodies are searched for regions of their own (the thesis does so in
// branches only; a region in a loop's body is called as often as the loop runs, yet usually with one key).
#pragma once
#include "analysis/statements.hpp"

#include <map>
#include <set>

namespace vr::analysis {

/// What must be known of variables at a program point. `value` holds numbers (integers, bools, float64) and arrays of
/// integers or bools.
struct CriticalSets {
  std::set<ir::SymbolId> shape, value;
  friend bool operator==(const CriticalSets&, const CriticalSets&) = default;
};

/// A region: statements `first` to `last` of a list.
struct Pir {
  StatementList list;       ///< where it lies
  int first = 0, last = 0;  ///< positions in that list
  CriticalSets entry;       ///< what must be known where it begins
};

struct RegionDetection {
  Statements statements;
  std::vector<Pir> regions;  ///< in the order of the text; none overlaps another
  /// For each statement the sets before it; for each list with its parent's number those at its end. Of statements
  /// outside of the regions nothing is said.
  std::vector<CriticalSets> before;
  std::map<StatementList, CriticalSets> at_end;
  /// The region of each statement, also of those inside of others; -1: none.
  std::vector<int> region;
  bool gave_up = false;  ///< the sets of all statements together would be too large: no regions
  std::string text(const ir::Function& f) const;
};

/// The maximal interesting regions: outer ones are preferred. Interesting (6.2.1) is a loop that works on arrays, or
/// two vector operations (operators and library functions on arrays, gathers, stores to slices), counted inside of
/// expressions too. The function must be one of a verified module, which `simplify` has been run over for best results;
/// its body must outlive the answer. Names of functions of the library must have become `libcall`: other calls are
/// calls of functions. Time and memory: bounded, see `gave_up`.
RegionDetection region_detection(const ir::Function& f, const ir::Conventions& conventions);

}  // namespace vr::analysis
