// Sorting many short lines at the same time, one in each lane of a vector: a sorting network, whose comparisons do not
// depend on the elements.
#pragma once
#include <cstdint>
#include <type_traits>

namespace vr::runtime {

/// Types for which there are networks: numbers of 16 to 64 bits.
template <class T>
inline constexpr bool in_lanes = std::is_arithmetic_v<T> && (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
/// Lines that are sorted at a time.
template <class T>
inline constexpr int64_t lanes = 64 / static_cast<int64_t>(sizeof(T));
/// The number of elements up to which a network is faster than sorting by digits.
inline constexpr int64_t most_together = 1024;

/// Sorts lanes<T> lines of n numbers in place. Element i of line k is block[i * lanes<T> + k]; `block` is aligned to 64
/// bytes. NaN is not allowed; zeros of both signs end in any order.
template <class T>
void sort_together(T* block, int64_t n) noexcept;

/// The same for lines of n contiguous numbers each; the last ones may be the same line. `block`: room for
/// n * lanes<T> numbers, aligned to 64 bytes. False, with nothing changed, if there is a NaN or -0.0.
template <class T>
bool sort_together(T* const* lines, int64_t n, T* block) noexcept;

/// Sorts one line of up to most_together numbers. False, with nothing done, if the processor's vectors do not suit. T:
/// an unsigned number of 16 to 64 bits.
template <class T>
bool sort_in_lanes(T* line, int64_t n) noexcept;

}  // namespace vr::runtime
