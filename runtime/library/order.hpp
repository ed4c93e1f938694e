// Shared parts of functions that depend on the order of elements, and of functions along an axis.
#pragma once
#include <cmath>
#include <type_traits>

#include "runtime/library/call.hpp"

namespace vr::runtime::library {

/// Ascending; NaN comes after every number, two NaNs are equal.
template <class T>
bool before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
  }
  return a < b;
}

/// found[i] = the number of the n sorted elements that are less than wanted[i] or, with `behind`, less than or equal to
/// it. If `wanted` has many elements they are sorted first, so that both arrays are traversed once, in memory order.
template <class T>
void search_sorted(vr_context* ctx, const T* sorted, int64_t n, const T* wanted, int64_t count, bool behind,
                   int64_t* found);

/// The axis that MATLAB uses by default.
inline int32_t first_longer_than_one(const vr_array& a) {
  for (int32_t k = 0; k < a.rank; ++k)
    if (a.extent[k] != 1) return k;
  return 0;
}

/// Allocates result k, which has one element for each line of argument 0 along `axis`: without the axis for NumPy, with extent
/// 1 for MATLAB. The returned descriptor always has the axis, with extent 1, like lines_of(argument).across.
vr_array make_reduced(const LibraryCall& c, size_t k, int32_t axis);

/// Copies elements in the language's linear order to their positions in a result of their type.
template <class T>
void scatter(const LibraryCall& c, const T* from, const vr_array& to) {
  vr_array source = to;
  source.data = const_cast<T*>(from);
  contiguous_strides(to.rank, to.extent, sizeof(T), c.linear_order() == Order::Column, source.stride);
  for_each_pair(source, to, [](const char* a, char* b) { *reinterpret_cast<T*>(b) = *reinterpret_cast<const T*>(a); });
}

}  // namespace vr::runtime::library
