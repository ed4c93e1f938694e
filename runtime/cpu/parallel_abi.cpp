// The library's vr_rt_parallel_for, which always uses threads. runtime/aot has a version of its own.
#include "runtime/cpu/parallel_for.hpp"

namespace vr::runtime {

bool inside_task() { return running_block(); }

}  // namespace vr::runtime

extern "C" int32_t vr_rt_parallel_for(vr_context* ctx, const vr_site* site, vr_task task, void* env, int64_t lo,
                                      int64_t hi) {
  return vr::runtime::run_blocks(ctx, site, task, env, lo, hi);
}
