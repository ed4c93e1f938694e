#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Emits the body of a host function (thesis 4.1.1): it passes its arguments on, so that callers can treat the function
/// like any other.
void external(Lowering& f);

}  // namespace vr::lower
