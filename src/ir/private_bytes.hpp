// The limit of arrays that an iteration of a kernel makes for itself (private to src).
#pragma once
#include <cstdint>

namespace vr {

/// The most bytes of all of an iteration's arrays together: a work-group may keep them in local memory, and where each
/// work-item has its own the device still has memory for them.
constexpr int64_t most_private_bytes = 16384;

}  // namespace vr
