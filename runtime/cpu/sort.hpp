// Sorting of lines of numbers: ascending, NaN last, equal elements (also -0.0 and 0.0, and NaNs) in the order in which they
// were. Radix sorts: the time follows the number of elements alone. Long lines are shared among the context's threads; the
// result is the same for any number of them.
#pragma once
#include <cstdint>

#include "runtime/abi.h"

namespace vr::runtime {

/// Sorts n elements in place. False without memory: then nothing has changed. T: an element type of VRIR, also bool.
template <class T>
bool sort_values(vr_context* ctx, T* line, int64_t n) noexcept;

/// The same; positions[k] gets where the k-th element was, counted from `base`.
template <class T>
bool sort_positions(vr_context* ctx, T* line, int64_t n, int64_t* positions, int64_t base) noexcept;

}  // namespace vr::runtime
