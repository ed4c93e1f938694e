// The loops of a nest change places, so that the innermost one runs along rows (docs/architecture.md).
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Runs after hoist_guards, whose nests have no checks left.
void interchange(Module& m, const PassOptions& options);

}  // namespace vr::lower
