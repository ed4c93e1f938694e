// Arrays as sets: unique, isin.
#include <algorithm>
#include <new>
#include <type_traits>

#include "runtime/cpu/sort.hpp"

#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

/// Whether the two count as one element. In NumPy all NaNs do; in MATLAB each NaN is a different element.
template <class T>
bool same(T a, T b, bool matlab) {
  return a == b || (!matlab && a != a && b != b);
}

template <class T>
void unique(const LibraryCall& c) {
  auto all = c.values<T>(0);
  const int64_t n = all.size();
  const bool row = c.is_row(0), matlab = c.matlab();
  if (c.results() == 1) {
    if (!sort_values(c.context(), all.data(), n)) throw std::bad_alloc();
    T* end = std::unique(all.begin(), all.end(), [&](T a, T b) { return same(a, b, matlab); });
    std::copy(all.begin(), end, static_cast<T*>(c.make_vector(0, end - all.begin(), row)));
    return;
  }
  Buffer<int64_t> order(n);
  if (!sort_positions(c.context(), all.data(), n, order.data(), 0)) throw std::bad_alloc();
  // first[k]: the position in `order` at which the k-th distinct element begins.
  Buffer<int64_t> first(n + 1);
  int64_t distinct = 0;
  for (int64_t k = 0; k < n; ++k)
    if (k == 0 || !same(all[k], all[k - 1], matlab)) first[distinct++] = k;
  first[distinct] = n;
  auto* values = static_cast<T*>(c.make_vector(0, distinct, row));
  auto* index = static_cast<int64_t*>(c.make_vector(1, distinct, row));
  for (int64_t k = 0; k < distinct; ++k) {
    values[k] = all[first[k]];
    index[k] = order[first[k]] + c.base();
  }
  if (c.results() > 2) {
    auto* inverse = static_cast<int64_t*>(c.make_vector(2, n, row));
    for (int64_t k = 0; k < distinct; ++k)
      for (int64_t i = first[k]; i < first[k + 1]; ++i) inverse[order[i]] = k + c.base();
  }
  if (c.results() > 3) {
    auto* counts = static_cast<int64_t*>(c.make_vector(3, distinct, row));
    for (int64_t k = 0; k < distinct; ++k) counts[k] = first[k + 1] - first[k];
  }
}

/// Which elements of argument 0 occur in argument 1. NaN never does.
template <class T>
void is_in(const LibraryCall& c) {
  const auto all = c.elements<T>(0);
  auto set = c.values<T>(1);
  const vr_array& a = c.in(0);
  const vr_array& out = c.make(0, std::span<const int64_t>(a.extent, static_cast<size_t>(a.rank)));
  Buffer<bool> found(all.size());
  if constexpr (std::is_integral_v<T>) {
    // If there are few distinct values: a lookup table.
    const auto [least, most] = std::minmax_element(set.begin(), set.end());
    if (set.size() > 0) {
      const T low = *least;
      const uint64_t width = static_cast<uint64_t>(*most) - static_cast<uint64_t>(low);
      if (width < static_cast<uint64_t>(4 * (all.size() + set.size()) + 256)) {
        Buffer<bool> table(static_cast<int64_t>(width) + 1);
        std::fill(table.begin(), table.end(), false);
        for (T v : set) table[static_cast<int64_t>(static_cast<uint64_t>(v) - static_cast<uint64_t>(low))] = true;
        for (int64_t i = 0; i < all.size(); ++i) {
          const uint64_t at = static_cast<uint64_t>(all[i]) - static_cast<uint64_t>(low);
          found[i] = at <= width && table[static_cast<int64_t>(at)];
        }
        return scatter(c, found.data(), out);
      }
    }
  }
  if (!sort_values(c.context(), set.data(), set.size())) throw std::bad_alloc();
  Buffer<int64_t> at(all.size());
  search_sorted(c.context(), set.data(), set.size(), all.data(), all.size(), false, at.data());
  for (int64_t i = 0; i < all.size(); ++i) found[i] = at[i] < set.size() && set[at[i]] == all[i];
  scatter(c, found.data(), out);
}

}  // namespace

void IsIn(const LibraryCall& c) {
  const ir::Elem a = real_part(c.in(0).elem), b = real_part(c.in(1).elem);
  ir::visit_computed_elem(ir::common_elem(a, b), [&](auto tag) { is_in<typename decltype(tag)::type>(c); });
}

void Unique(const LibraryCall& c) {
  visit_real(c.in(0), [&](auto tag) { unique<typename decltype(tag)::type>(c); });
}

}  // namespace vr::runtime::library
