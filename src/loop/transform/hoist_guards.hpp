// Guards of inner loops' versions move in front of the loops around them (docs/architecture.md).
#pragma once
#include "loop/pass.hpp"
#include "loop/writer.hpp"

#include <optional>

namespace vr::lower {

/// For loops marked `version` that contain other loops. Runs after `version`. Loops that may make arrays grow keep the
/// mark: their guards may fail in the first iterations only, so they are moved only if that gains more than the guards
/// themselves cost (jam.cpp).
void hoist_guards(Module& m, const PassOptions& options);

/// A loop without the guards of its inner loops, and the same loop with checks.
struct HoistedLoop {
  Block before;  ///< statements in front of the guard
  ExprP guard;   ///< the fast loop may run
  CountedLoop fast, slow;
};
/// For a loop marked `version` whose inner loops have been treated already. No value: it has no guards, or they cannot
/// move.
std::optional<HoistedLoop> hoisted(Writer& out, const CountedLoop& loop, bool may_grow);

}  // namespace vr::lower
