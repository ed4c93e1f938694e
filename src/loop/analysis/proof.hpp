// Which checks of a loop cannot fail in any iteration, and what has to be asked for before the loop.
#pragma once
#include "loop/analysis/affine.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace vr::lower {

/// Whether the statement is a check: a fault, or something else that rarely happens, behind a condition.
bool is_check(const If& n);

/// What became of the checks of a loop's body. Pointers are into that body.
struct Proof {
  std::set<const If*> passes;      ///< do nothing in any iteration where all of `required` hold
  std::set<const If*> open;        ///< the others
  std::vector<ExprP> required;     ///< Bool, for the code before the loop
  Block before;                    ///< statements that make what they share
  std::map<VarId, int> changed;    ///< by the body without the checks that pass, with the loop's variable
  std::map<const SetVar*, Linear> numbers;  ///< Int64 variables made of float64 that are affine in the loop's variable
};
/// Of an innermost loop. `out` writes the code before it (but what is written goes to Proof::before).
Proof prove_checks(Writer& out, const CountedLoop& loop);

/// Goes through a loop's body without the checks that pass, with what `affine` knows at each statement.
void walk_with(Affine& affine, const Block& b, const std::set<const If*>& without,
               const std::function<void(const Stmt&)>& visit);

}  // namespace vr::lower
