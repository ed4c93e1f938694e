// The bounds of a serial loop that is replaced by several (private to src/loop).
#pragma once
#include "loop/writer.hpp"

namespace vr::lower {

struct LoopBounds {
  ExprP lo, hi;  ///< with the values from before the loop, whatever its body assigns
  ExprP some;    ///< whether there is an iteration, and their number does not overflow
};

/// Writes what they need in front of the loop.
LoopBounds loop_bounds(Writer& out, const CountedLoop& n);

}  // namespace vr::lower
