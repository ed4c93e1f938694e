// linearise: the loop form, in which loads and stores have subscripts, becomes the lowered form, in which they have addresses.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Replaces each list of subscripts (Expr::Kind::At) by a sum, one term per axis from the left. No other code does this.
/// Time is linear in the size of the module.
void linearise(Module& m, const PassOptions& options);

}  // namespace vr::lower
