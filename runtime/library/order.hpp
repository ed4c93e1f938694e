// What functions about the order of elements share, and those along an axis.
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

/// found[i] = how many of n sorted elements come before wanted[i], where `behind` those equal to it too. Many elements
/// that are wanted are sorted first: then both are gone through once, in the order of memory.
template <class T>
void search_sorted(vr_context* ctx, const T* sorted, int64_t n, const T* wanted, int64_t count, bool behind,
                   int64_t* found);

/// MATLAB's axis where none is given.
inline int32_t first_longer_than_one(const vr_array& a) {
  for (int32_t k = 0; k < a.rank; ++k)
    if (a.extent[k] != 1) return k;
  return 0;
}

/// Makes result k, which has one element for each line of argument 0 along `axis`: of NumPy without the axis, of MATLAB
/// with extent 1. What is returned has the axis, with extent 1, as lines_of(argument).across has.
vr_array make_reduced(const LibraryCall& c, size_t k, int32_t axis);

/// Elements in the language's linear order to where they belong in a result of their type.
template <class T>
void scatter(const LibraryCall& c, const T* from, const vr_array& to) {
  vr_array source = to;
  source.data = const_cast<T*>(from);
  contiguous_strides(to.rank, to.extent, sizeof(T), c.linear_order() == Order::Column, source.stride);
  for_each_pair(source, to, [](const char* a, char* b) { *reinterpret_cast<T*>(b) = *reinterpret_cast<const T*>(a); });
}

}  // namespace vr::runtime::library
