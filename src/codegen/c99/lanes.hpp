// Reductions in lanes (private to codegen/c99).
#pragma once
#include "loop/exprs.hpp"

#include <set>

namespace vr::codegen::c99 {

/// Innermost loops that only reduce, in any order (Expr::any_order for floats), do so in lanes, which are joined after
/// the loop: compilers of C never change the order of operations with floats. Returns the variables of the loops in
/// lanes.
std::set<lower::VarId> reduce_in_lanes(lower::Exprs& x, lower::Function& f);

}  // namespace vr::codegen::c99
