// live_vars: which variables' values may still be read (backward data flow).
#pragma once
#include "analysis/bits.hpp"
#include "analysis/statements.hpp"

namespace vr::analysis {

/// A variable is live where its value may be read before it is assigned as a whole. Storing to an element counts as
/// reading, because the other elements keep their values. Accesses through the host or an alias do not count.
struct LiveVars {
  Statements statements;
  /// For each statement, the variables that are live before it (by position in the symbol table); no entry for blocks,
  /// break, continue.
  std::vector<Bits> before;
  /// The variables that are live after it; only for assignments, calls and returns.
  std::vector<Bits> after;
  std::string text(const ir::Function& f) const;
};

/// The function must be verified; its body must outlive the result.
LiveVars live_vars(const ir::Function& f);

}  // namespace vr::analysis
