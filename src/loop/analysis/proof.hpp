// Which checks of a loop cannot fail in any iteration, and the conditions for that, to be tested before the loop.
#pragma once
#include "loop/analysis/affine.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace vr::lower {

/// Whether the statement is a check: a condition with a fault, or with another rare action.
bool is_check(const If& n);

/// The result for the checks of a loop's body. Pointers refer to statements of that body.
struct Proof {
  std::set<const If*> passes;      ///< have no effect in any iteration if all of `required` hold
  std::set<const If*> open;        ///< the others
  std::vector<ExprP> required;     ///< Bool, evaluated before the loop
  Block before;                    ///< statements that compute what the conditions share
  std::map<VarId, int> changed;    ///< assigned by the body without the checks that pass, and the loop's variable
  std::map<const SetVar*, Linear> numbers;  ///< Int64 variables converted from float64 that are affine in the loop's variable
};
/// For an innermost loop. `out` makes variables for the code before it; the statements themselves go to Proof::before.
Proof prove_checks(Writer& out, const CountedLoop& loop);

/// Visits the statements of a loop's body, without the checks that pass, keeping `affine` up to date.
void walk_with(Affine& affine, const Block& b, const std::set<const If*>& without,
               const std::function<void(const Stmt&)>& visit);

}  // namespace vr::lower
