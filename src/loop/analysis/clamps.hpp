// Subscripts of a kernel that are kept inside of a range (private to src/loop).
#pragma once
#include "loop/exprs.hpp"

#include <vector>

namespace vr::lower {

/// A kernel's body without the clamps of its outer block: integers that are the lesser or the greater of a number that
/// differs between work-items (max(x - 1, 0)) and one that does not are the former.
struct Unclamped {
  Block body;
  /// When a clamp has an effect: conditions in terms of the kernel's dimensions and of what it does not assign. If none
  /// of them holds for a work-item, the body does what the kernel's own does.
  std::vector<ExprP> active;
};
Unclamped without_clamps(Exprs& x, const Function& kernel);

}  // namespace vr::lower
