// alias: which array variables may overlap in memory (thesis 5.4): connected components of a graph whose nodes are
// variables and allocation sites, with an edge for each assignment, view and call. Flow-insensitive,
// context-insensitive, one walk over the statements.
#pragma once
#include "analysis/region_facts.hpp"
#include "analysis/statements.hpp"

#include <map>

namespace vr::analysis {

/// Tuple variables are treated like arrays, since they may contain some.
struct Alias {
  struct Group {
    std::vector<ir::SymbolId> variables;  ///< in rising order
    std::vector<int> made;                ///< statements that make arrays which the variables may hold, rising
    bool outside = false;                 ///< may hold an array that the caller holds, too
  };
  std::vector<Group> groups;  ///< ordered by their first variables; every array and tuple variable is in one
  /// Value semantics (`:assign copy`): variables of a group may hold the same storage, but a store through one of them
  /// copies it first and is never seen through another.
  bool values = false;

  std::map<ir::SymbolId, size_t> group;  ///< of each such variable, its index in `groups`
  /// Whether the two variables may hold the same storage; false for variables that hold no arrays.
  bool may_share(ir::SymbolId a, ir::SymbolId b) const;
  /// Whether a store to elements of one variable may be seen through the other.
  bool may_overlap(ir::SymbolId a, ir::SymbolId b) const { return !values && may_share(a, b); }
  std::string text(const ir::Function& f) const;
};

/// Arguments may overlap if their alias groups are equal or unknown (without facts: all of them). The function must be
/// one of the verified module.
Alias alias(const ir::Function& f, const ir::Module& module, const ir::Conventions& conventions,
            const RegionFacts& facts = {});

}  // namespace vr::analysis
