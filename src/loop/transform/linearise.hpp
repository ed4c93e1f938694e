// linearise: the loop form, in which loads and stores have subscripts, becomes the lowered form, in which they have addresses.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Makes a sum of each list of subscripts (Expr::Kind::At), one term an axis from the left; the only place that does.
/// Linear in the size of the module.
void linearise(Module& m, const PassOptions& options);

}  // namespace vr::lower
