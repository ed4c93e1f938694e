// Interrupts: loops ask whether the host wants the call to end (HostBinding::interrupt).
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In Entry functions and tasks: what may run long asks now and then. A loop without end, and a counted one that holds another
/// loop or a call, asks in each iteration. An innermost counted loop is cut into chunks and asks between two of them, so that
/// its iterations stay as they are to the backend; inside of another loop it does not ask at all where its iterations are cheap
/// and each comes to an element of its own, so that memory bounds them. Loops with few iterations do not count.
void poll(Module& m, const PassOptions& options);

}  // namespace vr::lower
