// Interrupts: whether the host wants a running call to end (HostBinding::interrupt, HostBinding::poll).
#pragma once
#include "runtime/abi.h"

#include <velociraptor/binding.hpp>

namespace vr::runtime {

/// The interrupt flag that calls of this host read.
inline const int32_t* interrupt_of(const HostBinding& host) {
  return host.interrupt ? host.interrupt : &vr_never_interrupted;
}
/// Whether vr_rt_poll must be called: the interrupt flag is set, or another thread of the call has failed.
inline bool asked_to_stop(const vr_context& ctx) {
  return __atomic_load_n(ctx.interrupt, __ATOMIC_RELAXED) != 0 || ctx.failed.load(std::memory_order_relaxed) != 0;
}

/// While it lives, this thread works for a call that another thread made: it does not call HostBinding::poll, which the host
/// may require on the calling thread, but sees the result of that thread's poll in vr_context::failed.
class HelperScope {
 public:
  explicit HelperScope(bool helps);
  ~HelperScope();
  HelperScope(const HelperScope&) = delete;
  HelperScope& operator=(const HelperScope&) = delete;

 private:
  const bool before_;
};

}  // namespace vr::runtime
