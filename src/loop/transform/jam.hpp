// Unroll and jam of loops whose inner loop updates the same elements in each iteration (docs/architecture.md).
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Runs after hoist_guards, whose nests have no checks left.
void jam(Module& m, const PassOptions& options);

}  // namespace vr::lower
