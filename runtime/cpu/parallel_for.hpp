// The state of parallel loops that the rest of the runtime needs.
#pragma once

namespace vr::runtime {

/// Whether this thread is running a block of a parallel loop; nested parallel loops then run serially.
bool inside_task();

}  // namespace vr::runtime
