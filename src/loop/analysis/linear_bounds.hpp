// Bounds of a number that depends on a loop's variable and on what bounds the loop (private to src/loop).
#pragma once
#include "loop/analysis/loop_range.hpp"
#include "support/function_view.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace vr::lower {

/// constant + sum of coefficient * term.
struct LinearBound {
  std::vector<std::pair<ExprP, int64_t>> terms;  ///< variables and expressions that are no sums; coefficients are not 0
  int64_t constant = 0;
};

/// What is known of a kernel's numbers at a statement. Keeps references.
struct LinearFacts {
  const std::map<VarId, ExprP>& definitions;  ///< of variables that are assigned once
  const std::map<VarId, LoopRange>& ranges;   ///< of the variables of loops around the statement
  const std::set<VarId>& reassigned;          ///< variables that have several values
  FunctionView<ExprP(ExprP)> condition;       ///< the value of a Bool variable, or the expression itself
};

/// Forms that are never above the number (upper: never below it), in which something has cancelled out that an interval
/// of each of its terms alone would count twice: of k + m - 1 - i, for k from max(0, i - m + 1) on, the form 0. A
/// loop's variable is replaced by an end of its range, and the least (greatest) of two numbers by each of them: one
/// step of Fourier and Motzkin's elimination. Sums must not wrap.
std::vector<LinearBound> linear_bounds(const LinearFacts& facts, ExprP number, bool upper);

}  // namespace vr::lower
