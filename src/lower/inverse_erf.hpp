// erfinv and erfcinv of real numbers (private to src/lower).
#pragma once
#include "lower/emitter.hpp"

namespace vr::lower {

/// The x with erf(x) = y, or with erfc(x) = y if `complement`; in the floating type of y.
ExprP inverse_erf(Emitter& out, ExprP y, bool complement);

}  // namespace vr::lower
