// Inductive invariants of while loops: what integers stay between at the head (private to src/loop).
#pragma once
#include "loop/analysis/launch_intervals.hpp"
#include "support/function_view.hpp"

namespace vr::lower {

/// The condition under which the loop with this body ends, if only its first statement ends it; null: others do.
ExprP ends_at_head(const Block& body);

/// The integers that stay, at the head of a while loop, between the least and the greatest of what all of them are
/// before the loop (the bounds of a binary search): an inductive invariant. The host checks its step (Interval::valid),
/// so that only versions that assume something can use it. `values` is the state before the loop; after: the state
/// behind the body if the variables that it assigns are these before it, or not known.
Intervals held_at_head(LaunchIntervals& values, Writer& host, const Block& body,
                       FunctionView<Intervals(const Intervals&)> after);

}  // namespace vr::lower
