// Sorting many short lines at the same time, one in each lane of a vector: a sorting network, whose comparisons do not
// depend on the elements.
#pragma once
#include <cstdint>

namespace vr::runtime {

/// Lines that are sorted at a time.
template <class T>
inline constexpr int64_t lanes = 64 / static_cast<int64_t>(sizeof(T));
/// The number of elements up to which a network is faster than sorting by digits.
inline constexpr int64_t most_together = 1024;

/// Sorts lanes<T> lines of n numbers in place. Element i of line k is block[i * lanes<T> + k]; `block` is aligned to 64
/// bytes. T: a number of 32 or 64 bits. NaN is not allowed; zeros of both signs end in any order.
template <class T>
void sort_together(T* block, int64_t n) noexcept;

}  // namespace vr::runtime
