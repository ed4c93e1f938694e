// Iterations of a serial loop on the host whose launches come later, as one (private to src/loop).
#pragma once
#include "loop/writer.hpp"

#include <map>

namespace vr::lower {

/// turns: the host's variable with the number of iterations that are deferred. first: its variables with the values that
/// others had in the first of these iterations, by those.
struct DeferredTurns {
  VarId turns;
  std::map<VarId, VarId> first;
};

/// Defers the launches of the current iteration.
void defer(Writer& out, const DeferredTurns& d);
/// Launches the iterations that were deferred, if there are any, under this condition.
void launch_deferred(Writer& out, const DeferredTurns& d, const Launch& n, ExprP condition);

}  // namespace vr::lower
