// The state of parallel loops that the rest of the runtime needs.
#pragma once
#include "runtime/abi.h"

namespace vr::runtime {

/// Whether this thread is running a block of a parallel loop; nested parallel loops then run serially.
bool inside_task();

/// vr_rt_parallel_for and inside_task with oneTBB. Separate functions, because programs that were compiled ahead of
/// time call them only if they are linked with the part `threads` (runtime/aot).
int32_t run_blocks(vr_context*, const vr_site*, vr_task, void* env, int64_t lo, int64_t hi);
bool running_block();

}  // namespace vr::runtime
