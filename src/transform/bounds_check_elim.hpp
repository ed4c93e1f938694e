// bounds_check_elim: the preliminary elimination of bounds checks (thesis 5.6).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// Clears check attributes of subscripts that cannot fail:
/// 1. The variable of a loop with a constant start at or above the base and a positive constant step, used as a
///    subscript, needs neither the lower bound's check nor the negative-index test.
/// 2. Of two references to one array in the same iteration whose subscript is the same function of loop variables, loop
///    invariants and constants, the later one needs no check at all if the earlier one dominates it.
/// Results and errors do not change. The loader option force_checks still turns every check on.
ir::ModulePtr bounds_check_elim(const ir::ModulePtr& module, const ir::Conventions& conventions);

}  // namespace vr::transform
