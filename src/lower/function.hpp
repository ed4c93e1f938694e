// A whole function (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Lowers an Entry function.
void lower_entry(Lowering& f);
/// Makes every exit of the function release the array variables' references. To be called after the body is lowered.
void finish_cleanup(Lowering& f);

}  // namespace vr::lower
