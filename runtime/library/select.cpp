// Selection: partition, quantile.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <type_traits>

#include "runtime/cpu/sort.hpp"
#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

/// The lines of result k, which has the extents of argument 0.
vr_array make_alike(const LibraryCall& c, size_t k) {
  const vr_array& a = c.in(0);
  return c.make(k, std::span<const int64_t>(a.extent, static_cast<size_t>(a.rank)));
}

template <class T>
void partition(const LibraryCall& c, int32_t axis) {
  const vr_array& a = c.in(0);
  if (a.rank == 0) {
    if (c.whole(1) != c.base()) c.fail(VR_SIZE, "a number has one element");
    c.give(0, *static_cast<const T*>(a.data));
    if (c.results() > 1) c.give<int64_t>(1, c.base());
    return;
  }
  const vr_array values = make_alike(c, 0), places = c.results() > 1 ? make_alike(c, 1) : vr_array{};
  const Lines from = lines_of(a, axis), to = lines_of(values, axis);
  const Lines to_places = c.results() > 1 ? lines_of(places, axis) : Lines{};
  int64_t kth = c.whole(1);
  if (!c.matlab() && kth < 0) kth += from.count;
  kth -= c.base();
  if (kth < 0 || (kth >= from.count && from.count > 0)) c.fail(VR_SIZE, "there is no such element");
  if (element_count(a) == 0) return;
  Buffer<T> line(from.count);
  Buffer<int64_t> order(from.count);
  // The address of the first element of each line in `places`.
  auto* at_place = static_cast<char*>(places.data);
  auto next = [&, n = int64_t{0}]() mutable {
    int64_t at = 0, rest = n++;
    for (int32_t k = to_places.across.rank - 1; k >= 0; --k) {
      at += rest % to_places.across.extent[k] * to_places.across.stride[k];
      rest /= to_places.across.extent[k];
    }
    return at_place + at;
  };
  for_each_pair(from.across, to.across, [&](const char* x, char* y) {
    for (int64_t i = 0; i < from.count; ++i) std::memcpy(&line[i], x + i * from.stride, sizeof(T));
    if (c.results() == 1) {
      T* end = line.end();
      if constexpr (std::is_floating_point_v<T>)
        end = std::partition(line.begin(), end, [](T v) { return !std::isnan(v); });
      if (line.begin() + kth < end) std::nth_element(line.begin(), line.begin() + kth, end);
      for (int64_t i = 0; i < from.count; ++i) std::memcpy(y + i * to.stride, &line[i], sizeof(T));
      return;
    }
    std::iota(order.begin(), order.end(), 0);
    std::nth_element(order.begin(), order.begin() + kth, order.end(), [&](int64_t p, int64_t q) {
      return before(line[p], line[q]) || (!before(line[q], line[p]) && p < q);
    });
    char* z = next();
    for (int64_t i = 0; i < from.count; ++i) {
      const int64_t place = order[i] + c.base();
      std::memcpy(y + i * to.stride, &line[order[i]], sizeof(T));
      std::memcpy(z + i * to_places.stride, &place, sizeof place);
    }
  });
}

/// The quantile q of n elements, where `at(k)` is the k-th in sorted order: interpolated linearly between two elements,
/// as in NumPy.
template <class D, class R, class At>
R quantile_of(R q, int64_t n, At at) {
  const R place = static_cast<R>(n - 1) * q;
  if (!(place < static_cast<R>(n - 1))) return static_cast<R>(at(n - 1));
  const R below = std::floor(place), t = place - below;
  const D low = static_cast<D>(at(static_cast<int64_t>(below))),
          high = static_cast<D>(at(static_cast<int64_t>(below) + 1));
  const R step = static_cast<R>(high - low);
  return t >= R(0.5) ? static_cast<R>(high) - step * (1 - t) : static_cast<R>(low) + step * t;
}

/// T: the type of the elements; D: of differences; R: of the quantiles and the result.
template <class T, class D, class R>
void quantile(const LibraryCall& c) {
  const vr_array &a = c.in(0), &wanted = c.in(1);
  const auto q = c.elements<R>(1, Order::Row);
  const bool skip = c.truth(3, false);
  for (R v : q)
    if (!(v >= 0 && v <= 1)) c.fail(VR_SIZE, "quantiles are in the range [0, 1]");
  // Without an axis, NumPy uses all elements.
  int32_t axis = c.axis(2);
  const bool all = axis < 0 && !c.matlab();
  if (axis < 0) axis = first_longer_than_one(a);
  Lines lines{};
  int64_t extents[VR_MAX_RANK] = {};
  int32_t rank = 0;
  for (int32_t d = 0; d < wanted.rank; ++d) extents[rank++] = wanted.extent[d];
  const int32_t first = rank;
  if (!all) lines = lines_of(a, axis);
  for (int32_t d = 0; d < a.rank && !all; ++d)
    if (c.matlab())
      extents[rank++] = d == axis ? 1 : a.extent[d];
    else if (d != axis)
      extents[rank++] = a.extent[d];
  const vr_array out = c.make(0, std::span<const int64_t>(extents, static_cast<size_t>(rank)));
  const auto put_line = [&](T* line, int64_t count, char* to) {
    T* end = line + count;
    bool none = false;  // the call has no result
    if constexpr (std::is_floating_point_v<T>) {
      T* numbers = std::partition(line, end, [](T v) { return !std::isnan(v); });
      none = numbers != end && !skip;
      end = numbers;
    }
    const int64_t n = end - line;
    none = none || n == 0;
    if (!none && q.size() > 2 && !sort_values(c.context(), line, n)) throw std::bad_alloc();
    for (int64_t k = 0; k < q.size(); ++k) {
      int64_t at = 0, rest = k;
      for (int32_t d = first - 1; d >= 0; --d) {
        at += rest % out.extent[d] * out.stride[d];
        rest /= out.extent[d];
      }
      const R v = none ? std::numeric_limits<R>::quiet_NaN() : quantile_of<D, R>(q[k], n, [&](int64_t place) {
        if (q.size() <= 2) std::nth_element(line, line + place, end);
        return line[place];
      });
      std::memcpy(to + at, &v, sizeof v);
    }
  };
  if (all) {
    auto values = c.values<T>(0);
    return put_line(values.data(), values.size(), static_cast<char*>(out.data));
  }
  if (element_count(out) == 0) return;
  // The result's axes that follow those of q; the reduced axis is not among them.
  vr_array rest = out;
  rest.rank = rank - first;
  for (int32_t d = 0; d < rest.rank; ++d) {
    rest.extent[d] = out.extent[first + d];
    rest.stride[d] = out.stride[first + d];
  }
  if (!c.matlab()) rest = with_axis(rest, axis);
  Buffer<T> line(lines.count);
  for_each_pair(lines.across, rest, [&](const char* from, char* to) {
    for (int64_t i = 0; i < lines.count; ++i) std::memcpy(&line[i], from + i * lines.stride, sizeof(T));
    put_line(line.data(), lines.count, to);
  });
}

}  // namespace

void Partition(const LibraryCall& c) {
  int32_t axis = c.axis(2);
  if (axis < 0) axis = c.matlab() ? first_longer_than_one(c.in(0)) : c.in(0).rank - 1;
  visit_real(c.in(0), [&](auto tag) { partition<typename decltype(tag)::type>(c, axis); });
}

void Quantile(const LibraryCall& c) {
  const bool single = c.result_elem(0) == VR_FLOAT32;
  visit_real(c.in(0), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, float>)
      single ? quantile<float, float, float>(c) : quantile<float, float, double>(c);
    else
      quantile<T, double, double>(c);
  });
}

}  // namespace vr::runtime::library
