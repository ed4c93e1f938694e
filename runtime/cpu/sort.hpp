// Stable sorting of contiguous numbers: ascending, NaN last; -0.0 and 0.0 are equal, and so are all NaNs. Radix sorts: the time
// depends only on the number of elements. The context's threads share the work of long ones; the result does not depend on their
// number.
#pragma once
#include <cstdint>

#include "runtime/abi.h"

namespace vr::runtime {

/// Sorts n elements in place. False without memory: then nothing has changed. T: an element type of VRIR, also bool.
template <class T>
bool sort_values(vr_context* ctx, T* line, int64_t n) noexcept;

/// The same; positions[k] becomes the old position of the k-th element, counted from `base`.
template <class T>
bool sort_positions(vr_context* ctx, T* line, int64_t n, int64_t* positions, int64_t base) noexcept;

}  // namespace vr::runtime
