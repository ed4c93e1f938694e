// Logarithms of complex numbers whose modulus is near 1 (private to src/lower).
#pragma once
#include "lower/emitter.hpp"

namespace vr::lower {

/// log|p + qi|, computed without cancellation if |z|^2 is within 1/2 of 1; else `otherwise`. All of one floating type.
ExprP log_near_one(Emitter& out, ExprP p, ExprP q, ExprP otherwise);

}  // namespace vr::lower
