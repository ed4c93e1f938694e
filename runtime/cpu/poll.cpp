#include "runtime/cpu/poll.hpp"

#include "runtime/cpu/owner.hpp"

namespace vr::runtime {

namespace {
thread_local bool helping = false;
}

HelperScope::HelperScope(bool helps) : before_(helping) { helping = helps; }
HelperScope::~HelperScope() { helping = before_; }

}  // namespace vr::runtime

extern "C" int32_t vr_rt_poll(vr_context* ctx, const vr_site* site) {
  using namespace vr::runtime;
  if (const int32_t failed = ctx->failed.load(std::memory_order_relaxed)) return failed;
  if (__atomic_load_n(ctx->interrupt, __ATOMIC_RELAXED) == 0) return VR_OK;
  const vr::HostBinding& host = *ctx->host;
  if (host.poll) {
    if (helping) return VR_OK;  // only the thread that made the call polls the host
    HostLock lock(host);
    const HelperScope own(false);  // of nested calls that the host's code makes
    if (host.poll(host.context) == 0) return VR_OK;
  }
  return vr_rt_fail(ctx, site, VR_INTERRUPTED, 0, 0);
}
