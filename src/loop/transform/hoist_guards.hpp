// Guards of inner loops' versions move in front of the loops around them (docs/architecture.md).
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// For loops marked `version` that contain other loops; removes the mark. Runs after `version`.
void hoist_guards(Module& m, const PassOptions& options);

}  // namespace vr::lower
