// reaching_defs: which assignments may have given a variable the value that a statement reads (forward data flow).
#pragma once
#include "analysis/statements.hpp"

namespace vr::analysis {

struct Definition {
  ir::SymbolId variable = 0;
  int statement = -1;    ///< -1: what the variable holds when the function starts (an argument, or its start value)
  bool element = false;  ///< elements or a component were stored: earlier definitions still reach
};

/// Stores count for the array variable that they name; the analysis `alias` determines through which others they are
/// visible.
struct ReachingDefs {
  static constexpr size_t most_listed = 64;  ///< limits the lists, whose total size could be quadratic
  struct Use {
    ir::SymbolId variable = 0;
    std::vector<int> definitions;  ///< their numbers, in rising order; none at unreachable statements
    bool many = false;             ///< more than `most_listed`: these are only the first ones
  };
  Statements statements;
  std::vector<Definition> definitions;  ///< ordered by variable, then by statement
  /// For each statement, the variables that it reads itself (for loops and ifs: in the domain or the test), ordered by
  /// variable. Several reads of a variable in one statement are one use.
  std::vector<std::vector<Use>> uses;

  /// Null when the statement does not read the variable.
  const Use* use(int statement, ir::SymbolId variable) const;
  std::string text(const ir::Function& f) const;
};

/// The function must be verified; its body must outlive the result.
ReachingDefs reaching_defs(const ir::Function& f);

}  // namespace vr::analysis
