// A whole function (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Lowers an Entry function.
void lower_entry(Lowering& f);
/// On every way out each array variable gives up its reference. Once the body is lowered.
void finish_cleanup(Lowering& f);

}  // namespace vr::lower
