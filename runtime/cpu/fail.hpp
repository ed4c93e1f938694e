// Recording faults of running code.
#pragma once
#include "runtime/abi.h"

#include <string>

namespace vr::runtime {

/// Like vr_rt_fail for a fault that is not about a subscript, with the given message. Only the first fault of a context is
/// recorded; later ones only return their code. `site` may be null.
int32_t fail(vr_context* ctx, const vr_site* site, int32_t code, const std::string& message) noexcept;
/// Fault HOST, with the code that the host function chose.
int32_t fail_raised(vr_context* ctx, const vr_site* site, int32_t raised, const std::string& message) noexcept;
int32_t fail_no_memory(vr_context* ctx, const vr_site* site, int64_t bytes) noexcept;
/// The host returned no array of this type and size: it has no memory, or no such arrays.
int32_t fail_host_allocation(vr_context* ctx, const vr_site* site, int32_t elem, int32_t rank, int64_t bytes) noexcept;

/// "2x3", for messages.
std::string shape_text(const vr_array& a);

/// While it lives, the stack check of this thread uses the limit of the thread's own stack instead of the context's, which is
/// that of the calling thread. For tasks that run on worker threads.
class OwnStackScope {
 public:
  explicit OwnStackScope(bool enabled);
  ~OwnStackScope();
  OwnStackScope(const OwnStackScope&) = delete;
  OwnStackScope& operator=(const OwnStackScope&) = delete;

 private:
  char* before_;
};

}  // namespace vr::runtime
