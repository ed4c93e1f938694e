// poll: loops test whether the host wants the call to end (HostBinding::interrupt).
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In Entry functions and tasks: loops that may run long test regularly. An endless loop, and a counted loop that contains another
/// loop or a call, test in each iteration. An innermost counted loop is cut into chunks and tests between them, so that the
/// backend optimises its iterations as before; inside another loop it does not test at all if its iterations are cheap and each
/// accesses an element of its own, so that the size of memory bounds them. Loops with few iterations never test.
void poll(Module& m, const PassOptions& options);

}  // namespace vr::lower
