// Choices by conditions that hold in whole parts of a loop (private to src/loop).
#pragma once
#include "loop/exprs.hpp"

namespace vr::lower {

/// What a loop's conditions choose between (pad_loops.cpp), if each is a comparison that changes at most once from its
/// first iteration to its last.
struct ChosenInLoop {
  ExprP condition = nullptr;  ///< all of them; null: there are none
  Block body;                 ///< where they hold

  ChosenInLoop(Exprs& x, const Function& kernel, const CountedLoop& n);
};

}  // namespace vr::lower
