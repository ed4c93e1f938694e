// Addresses in the form that compilers of C understand best (private to codegen/c99).
#pragma once
#include "loop/exprs.hpp"

namespace vr::codegen::c99 {

/// Addresses state constant distances from each other, and what an innermost loop does not change of them is computed
/// in front of it.
void arrange_addresses(lower::Exprs& x, lower::Function& f);

}  // namespace vr::codegen::c99
