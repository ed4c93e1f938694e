// Functions that depend on the order of elements: median, searchsorted.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <type_traits>

#include "runtime/cpu/sort.hpp"
#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

/// The median of n elements, which it reorders. NaN for n = 0 and if an element is NaN.
template <class T, class R>
R median_of(T* line, int64_t n) {
  if (n == 0) return std::numeric_limits<R>::quiet_NaN();
  if constexpr (std::is_floating_point_v<T>)
    if (std::any_of(line, line + n, [](T v) { return std::isnan(v); })) return std::numeric_limits<R>::quiet_NaN();
  T* middle = line + n / 2;
  std::nth_element(line, middle, line + n);
  const R upper = static_cast<R>(*middle);
  if (n % 2 == 1) return upper;
  const R lower = static_cast<R>(*std::max_element(line, middle));
  // The mean, also if the sum of two finite numbers overflows; infinities are not changed.
  const R sum = lower + upper;
  return std::isinf(sum) && !std::isinf(lower) && !std::isinf(upper) ? lower / 2 + upper / 2 : sum / 2;
}

template <class T, class R>
void median(const LibraryCall& c) {
  const vr_array& a = c.in(0);
  int32_t axis = c.axis(1);
  if (axis < 0 && !c.matlab()) {
    auto all = c.values<T>(0);
    return c.give<R>(0, median_of<T, R>(all.data(), all.size()));
  }
  if (axis < 0) axis = first_longer_than_one(a);
  const Lines lines = lines_of(a, axis);
  vr_array out = make_reduced(c, 0, axis);
  Buffer<T> line(lines.count);
  for_each_pair(lines.across, out, [&](const char* from, char* to) {
    for (int64_t i = 0; i < lines.count; ++i) std::memcpy(&line[i], from + i * lines.stride, sizeof(T));
    const R m = median_of<T, R>(line.data(), lines.count);
    std::memcpy(to, &m, sizeof m);
  });
}

/// The position at which each of `wanted` would have to be inserted into `sorted`: before equal elements, or after them.
template <class T>
void search(const LibraryCall& c, bool behind) {
  const auto sorted = c.elements<T>(0);
  const vr_array& wanted = c.in(1);
  const auto all = c.elements<T>(1);
  const vr_array& out = c.make(0, std::span<const int64_t>(wanted.extent, static_cast<size_t>(wanted.rank)));
  Buffer<int64_t> found(all.size());
  search_sorted(c.context(), sorted.data(), sorted.size(), all.data(), all.size(), behind, found.data());
  for (int64_t& k : found) k += c.base();
  scatter(c, found.data(), out);
}

/// The insertion position of one element. The search starts at the position of an element that is not greater, which
/// usually is close.
template <class T>
int64_t search_from(const T* sorted, int64_t n, int64_t from, T v, bool behind) {
  const auto comes = [&](const T& x) { return behind ? !before(v, x) : before(x, v); };
  int64_t step = 1, high = from;
  while (high < n && comes(sorted[high])) {
    from = high + 1;
    high += step;
    step *= 2;
  }
  high = std::min(high, n);
  return std::partition_point(sorted + from, sorted + high, comes) - sorted;
}

}  // namespace

template <class T>
void search_sorted(vr_context* ctx, const T* sorted, int64_t n, const T* wanted, int64_t count, bool behind,
                   int64_t* found) {
  constexpr int64_t in_cache = 1 << 14, many = 1 << 12;
  const bool ascending = std::is_sorted(wanted, wanted + count, before<T>);
  if (!ascending && (n < in_cache || count < many)) {
    const auto one = [&](T v) {
      return behind ? std::upper_bound(sorted, sorted + n, v, before<T>)
                    : std::lower_bound(sorted, sorted + n, v, before<T>);
    };
    for (int64_t i = 0; i < count; ++i) found[i] = one(wanted[i]) - sorted;
    return;
  }
  int64_t at = 0;
  if (ascending) {
    for (int64_t i = 0; i < count; ++i) found[i] = at = search_from(sorted, n, at, wanted[i], behind);
    return;
  }
  Buffer<T> line(count);
  Buffer<int64_t> order(count);
  std::copy_n(wanted, count, line.data());
  if (!sort_positions(ctx, line.data(), count, order.data(), 0)) throw std::bad_alloc();
  for (int64_t i = 0; i < count; ++i) found[order[i]] = at = search_from(sorted, n, at, line[i], behind);
}
#define VR_SEARCH(T) template void search_sorted(vr_context*, const T*, int64_t, const T*, int64_t, bool, int64_t*);
VR_SEARCH(int8_t)
VR_SEARCH(int16_t)
VR_SEARCH(int32_t)
VR_SEARCH(int64_t)
VR_SEARCH(uint8_t)
VR_SEARCH(uint16_t)
VR_SEARCH(uint32_t)
VR_SEARCH(uint64_t)
VR_SEARCH(float)
VR_SEARCH(double)
#undef VR_SEARCH

vr_array make_reduced(const LibraryCall& c, size_t k, int32_t axis) {
  const vr_array& a = c.in(0);
  int64_t extents[VR_MAX_RANK] = {};
  int32_t rank = 0;
  for (int32_t d = 0; d < a.rank; ++d)
    if (c.matlab())
      extents[rank++] = d == axis ? 1 : a.extent[d];
    else if (d != axis)
      extents[rank++] = a.extent[d];
  const vr_array& out = c.make(k, std::span<const int64_t>(extents, static_cast<size_t>(rank)));
  return c.matlab() ? out : with_axis(out, axis);
}

void Median(const LibraryCall& c) {
  visit_real(c.in(0), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, float>)
      median<float, float>(c);
    else
      median<T, double>(c);
  });
}

void SearchSorted(const LibraryCall& c) {
  const bool behind = c.truth(2, false);
  // Both arguments are compared in their common type, as comparisons do.
  const ir::Elem a = real_part(c.in(0).elem), b = real_part(c.in(1).elem);
  ir::visit_computed_elem(ir::common_elem(a, b), [&](auto tag) { search<typename decltype(tag)::type>(c, behind); });
}

}  // namespace vr::runtime::library
