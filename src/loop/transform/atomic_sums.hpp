// Sums into elements that several iterations of a loop may have in common (private to src/loop).
#pragma once
#include "loop/exprs.hpp"

#include <optional>

namespace vr::lower {

/// The kernel with atomic additions in place of `a[k] = a[k] + v` in those loops whose iterations are independent then
/// (analysis/independent_loop) and whose subscripts k are loaded: counts, histograms, sums by group. Integers of 4 and
/// 8 bytes only, whose sums do not depend on the order. Empty: there are no such loops.
std::optional<Function> with_atomic_sums(Exprs& x, const Function& kernel);

}  // namespace vr::lower
