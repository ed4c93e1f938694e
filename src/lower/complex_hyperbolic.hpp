// asinh, acosh and atanh of complex numbers (private to src/lower).
#pragma once
#include "ir/library.hpp"
#include "lower/emitter.hpp"

namespace vr::lower {

/// `fn` is one of the three; z is of a floating type.
ScalarValue inverse_hyperbolic(Emitter& out, ir::LibMap fn, ScalarValue z);

}  // namespace vr::lower
