// live_vars: which variables' values may still be read (backward data flow).
#pragma once
#include "analysis/bits.hpp"
#include "analysis/statements.hpp"

namespace vr::analysis {

/// A variable is live where its value may be read before it is assigned as a whole; storing to an element counts as
/// reading, for the other elements stay. What a host or another variable sees of an array's elements is no matter of
/// this.
struct LiveVars {
  Statements statements;
  /// For each statement (by position in the symbol table) what is live before it; nothing is said of blocks, break and
  /// continue.
  std::vector<Bits> before;
  /// The same behind assignments, calls and returns.
  std::vector<Bits> after;
  std::string text(const ir::Function& f) const;
};

/// The function must be verified; its body must outlive the answer.
LiveVars live_vars(const ir::Function& f);

}  // namespace vr::analysis
