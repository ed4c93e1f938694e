// Loops that end when the bits of a number are used up.
#pragma once
#include "loop/exprs.hpp"

#include <map>
#include <optional>

namespace vr::lower {

/// A loop that ends where an integer is 0, or where it is 0 or less, and whose iterations each clear a bit of it, shift
/// it to the right or divide it by at least 2. It has at most 64 iterations.
struct BitLoop {
  VarId number = none;
  bool positive = false;          ///< runs while the number is greater than 0; else while it is not 0
  bool clears = false;            ///< each iteration clears the lowest 1: n & (n - 1)
  bool halves = false;            ///< each iteration drops the lowest bit of numbers that are not negative
  std::map<VarId, ExprP> values;  ///< of variables at the end of the body, of those at its beginning, if they are known
};

/// Nothing where the loop has another form. Other conditions may end it, too.
std::optional<BitLoop> bit_loop(Exprs& x, const Loop& loop);

}  // namespace vr::lower
