// Interrupts: whether a call that runs is to stop (HostBinding::interrupt, HostBinding::poll).
#pragma once
#include "runtime/abi.h"

#include <velociraptor/binding.hpp>

namespace vr::runtime {

/// The number that calls of this host look at.
inline const int32_t* interrupt_of(const HostBinding& host) {
  return host.interrupt ? host.interrupt : &vr_never_interrupted;
}
/// Whether there is something to ask vr_rt_poll about.
inline bool asked_to_stop(const vr_context& ctx) {
  return __atomic_load_n(ctx.interrupt, __ATOMIC_RELAXED) != 0 || ctx.failed.load(std::memory_order_relaxed) != 0;
}

/// While it lives, this thread works for a call that another one made: it does not ask the host, which may want its own
/// thread, but learns from `failed` what that one heard.
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
