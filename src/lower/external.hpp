#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The body of a function of the host (thesis 4.1.1): it passes its arguments on. To its callers it is as any other.
void external(Lowering& f);

}  // namespace vr::lower
