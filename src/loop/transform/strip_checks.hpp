// strip_checks: serial loops with checks of what they load run several iterations together.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A kernel's loop that gathers elements by subscripts from arrays (sparse rows, bags of words, lists of neighbours)
/// checks each subscript before it loads the element, so that no load starts before the one of the iteration before has
/// arrived. Strips of iterations evaluate their conditions together: what they load without a check, all conditions on
/// that, what they load next, and so on. If all hold, the rest of the iterations follows in order; if one does not, the
/// iterations of the strip run as before, and the fault is the same.
///
/// The checks must not depend on what iterations hand to each other, and the loop must not store to arrays that it
/// loads.
void strip_checks(Module& m, const PassOptions& options);

}  // namespace vr::lower
