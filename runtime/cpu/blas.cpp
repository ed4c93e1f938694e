#include "runtime/cpu/blas.hpp"

#include <algorithm>
#include <mutex>

#include "runtime/cpu/parallel_for.hpp"

// Works with OpenBLAS only; any other CBLAS uses its own number of threads.
extern "C" __attribute__((weak)) void openblas_set_num_threads(int);

namespace vr::runtime {

namespace {
std::shared_mutex& threads_mutex() {
  static std::shared_mutex& mutex = *new std::shared_mutex;
  return mutex;
}
int threads_now = 0;                            // guarded by threads_mutex; 0: never set
constexpr double enough_for_threads = 1 << 22;  // multiplications that take a tenth of a millisecond on one core
}  // namespace

BlasThreads::BlasThreads(const vr_context* ctx, double work) : lock_(threads_mutex(), std::defer_lock) {
  if (!openblas_set_num_threads) return;
  int wanted = inside_task() || work < enough_for_threads ? 1 : std::max(1, ctx->threads);
  for (;;) {
    lock_.lock();
    if (threads_now == wanted) return;
    lock_.unlock();
    std::unique_lock change(threads_mutex());
    if (threads_now == wanted) continue;
    openblas_set_num_threads(wanted);
    threads_now = wanted;
  }
}

}  // namespace vr::runtime
