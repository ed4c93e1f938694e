// Several iterations of a loop that run together: their statements. Part of jam.
#pragma once
#include "loop/analysis/dependence.hpp"
#include "loop/writer.hpp"

namespace vr::lower {

/// How iterations of a loop run together.
struct Jamming {
  int64_t lanes = 4;    ///< so many of them
  int64_t skew = 0;     ///< in the inner loop each is so many iterations behind the one before
  bool across = false;  ///< the inner loops' vectors are made of the lanes (CountedLoop::across)
};

/// The iterations first, first + 1, ... of the loop. With a skew the loop has one inner loop, of at least (lanes - 1) *
/// skew iterations, and all its accesses are in that.
Block jammed(Writer& out, const CountedLoop& loop, const Jamming& how, const NestDependences& dependences, ExprP first);

}  // namespace vr::lower
