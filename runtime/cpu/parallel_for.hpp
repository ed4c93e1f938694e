// What the rest of the runtime asks about parallel loops.
#pragma once

namespace vr::runtime {

/// Whether this thread runs a block of a parallel loop now; everything below it is serial then.
bool inside_task();

}  // namespace vr::runtime
