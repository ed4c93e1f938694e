// bounds_check_elim: the preliminary elimination of bounds checks (thesis 5.6).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// Clears check attributes of subscripts that cannot fail:
/// 1. a subscript that is the variable of a loop with a constant start at or above the base and a positive constant
/// step
///    needs neither the lower bound's check nor the negative-index test;
/// 2. of two references to one array in the same iteration whose subscript is the same function of loop variables, loop
///    invariants and constants, the later one needs no check at all when the earlier one is always executed before it.
/// Meaning and errors stay as they are. Loader option force_checks still turns every check on.
ir::ModulePtr bounds_check_elim(const ir::ModulePtr& module, const ir::Conventions& conventions);

}  // namespace vr::transform
