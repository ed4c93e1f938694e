// Faults on the device, in the form in which generated code sees them.
#pragma once
#include "runtime/abi.h"

#include <string>

namespace vr::gpu {

/// Records a fault whose sentence is `message` at `site` (may be null) unless the context has one already; returns
/// code.
inline int32_t record_fault(vr_context* context, const vr_site* site, int32_t code, const std::string& message) {
  vr_site said = site ? *site : vr_site{"", "", "", "", -1, 0};
  said.message = message.c_str();
  return vr_rt_fail(context, &said, code, 0, 0);
}

}  // namespace vr::gpu
