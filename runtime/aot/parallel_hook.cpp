// Parallel loops of programs compiled ahead of time: with threads if the part `threads` is linked, otherwise serial.
#include "runtime/aot/parts.hpp"
#include "runtime/cpu/parallel_for.hpp"

namespace vr::runtime {

namespace {
// Written before main() or by the loader. Another library may be loaded while calls run, so both are atomic.
std::atomic<decltype(vr_rt_parallel_for)*> run_with_threads{nullptr};
std::atomic<bool (*)()> inside_threads{nullptr};
}  // namespace

void register_threads(decltype(vr_rt_parallel_for)* run, bool (*inside)()) {
  inside_threads.store(inside, std::memory_order_release);
  run_with_threads.store(run, std::memory_order_release);
}

bool inside_task() {
  const auto inside = inside_threads.load(std::memory_order_acquire);
  return inside && inside();
}

}  // namespace vr::runtime

extern "C" int32_t vr_rt_parallel_for(vr_context* ctx, const vr_site* site, vr_task task, void* env, int64_t lo,
                                      int64_t hi) {
  const auto run = vr::runtime::run_with_threads.load(std::memory_order_acquire);
  if (run) return run(ctx, site, task, env, lo, hi);
  return lo < hi ? task(ctx, env, lo, hi) : VR_OK;
}
