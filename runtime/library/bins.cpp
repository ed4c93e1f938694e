// Counting: bincount, histogram, digitize.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

/// Adds amount(i) to the elements places[i] of result 0, numbered from the module's base.
template <class R, class Amount>
void count_places(const LibraryCall& c, size_t least_argument, Amount amount) {
  if (is_float_code(c.in(0).elem)) {  // with MATLAB's conventions
    const auto numbers = c.elements<double>(0);
    if (!std::all_of(numbers.begin(), numbers.end(),
                     [](double v) { return std::floor(v) == v && std::abs(v) < 0x1p63; }))
      c.fail(VR_TYPE, "an element of argument 1 is not a whole number");
  }
  const auto places = c.elements<int64_t>(0);
  const int64_t least = c.whole(least_argument, 0);
  if (least < 0) c.fail(VR_SIZE, "a length of " + std::to_string(least));
  int64_t count = least;
  if (places.size() > 0) {
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    if (*low < c.base()) c.fail(VR_OUT_OF_BOUNDS, "there is no element " + std::to_string(*low) + " to count in");
    if (*high == INT64_MAX) c.fail(VR_SIZE, "more elements than an array can have");
    count = std::max(count, *high + 1 - c.base());
  }
  R* to = static_cast<R*>(c.make_vector(0, count));
  std::fill_n(to, count, R());
  for (int64_t i = 0; i < places.size(); ++i) to[places[i] - c.base()] += amount(i);
}

/// The bins between ascending edges. Each contains its lower edge, the last one both.
template <class T>
class Bins {
 public:
  Bins(const T* edges, int64_t n) : edges_(edges), count_(n - 1), low_(static_cast<double>(edges[0])) {
    // If edges are evenly spaced, the bin is computed; the estimate must not be wrong by more than one.
    const double width = (static_cast<double>(edges[count_]) - low_) / static_cast<double>(count_);
    even_ = width > 0 && std::isfinite(width) && std::isfinite(1 / width);
    for (int64_t k = 0; even_ && k <= count_; ++k)
      even_ = std::abs(static_cast<double>(edges[k]) - (low_ + static_cast<double>(k) * width)) < width / 2;
    scale_ = 1 / width;
  }
  /// The bin of x; -1 if it is in none.
  int64_t of(T x) const {
    if (!(x >= edges_[0] && x <= edges_[count_])) return -1;
    if (x == edges_[count_]) return count_ - 1;
    if (!even_) return std::upper_bound(edges_, edges_ + count_, x) - edges_ - 1;
    auto k = std::clamp(static_cast<int64_t>((static_cast<double>(x) - low_) * scale_), int64_t{0}, count_ - 1);
    while (k > 0 && x < edges_[k]) --k;
    while (k < count_ - 1 && x >= edges_[k + 1]) ++k;
    return k;
  }

 private:
  const T* edges_;
  int64_t count_;
  double low_, scale_ = 0;
  bool even_ = false;
};

template <class T, class R, class Amount>
void histogram(const LibraryCall& c, Amount amount) {
  const auto edges = c.elements<T>(1), x = c.elements<T>(0);
  if (edges.size() == 0) c.fail(VR_SIZE, "of no edges");
  if (std::any_of(edges.begin(), edges.end(), [](T v) { return v != v; }) ||
      !std::is_sorted(edges.begin(), edges.end()))
    c.fail(VR_SIZE, "argument 2 is not ascending");
  R* to = static_cast<R*>(c.make_vector(0, edges.size() - 1, c.is_row(1)));
  std::fill_n(to, edges.size() - 1, R());
  if (edges.size() == 1) return;
  const Bins<T> bins(edges.data(), edges.size());
  for (int64_t i = 0; i < x.size(); ++i)
    if (const int64_t k = bins.of(x[i]); k >= 0) to[k] += amount(i);
}

template <class T>
void digitize(const LibraryCall& c) {
  const auto edges = c.elements<T>(1), x = c.elements<T>(0);
  const bool right = c.truth(2, false);
  const bool rising = std::is_sorted(edges.begin(), edges.end(), before<T>);
  if (!rising && !std::is_sorted(edges.begin(), edges.end(), [](T a, T b) { return before(b, a); }))
    c.fail(VR_SIZE, "argument 2 is neither ascending nor descending");
  const vr_array& out = c.make(0, std::span<const int64_t>(c.in(0).extent, static_cast<size_t>(c.in(0).rank)));
  Buffer<int64_t> found(x.size());
  if (rising) {
    search_sorted(c.context(), edges.data(), edges.size(), x.data(), x.size(), !right, found.data());
  } else {
    // How many edges are above x; with `right`, also those equal to it: the number of all edges minus those below.
    Buffer<T> turned(edges.size());
    std::reverse_copy(edges.begin(), edges.end(), turned.begin());
    search_sorted(c.context(), turned.data(), turned.size(), x.data(), x.size(), !right, found.data());
    for (int64_t& k : found) k = edges.size() - k;
  }
  scatter(c, found.data(), out);
}

/// Elements and edges are compared in their common type.
template <class F>
void in_common_type(const LibraryCall& c, F f) {
  ir::visit_computed_elem(ir::common_elem(real_part(c.in(0).elem), real_part(c.in(1).elem)), [&](auto tag) {
    using T = typename decltype(tag)::type;
    f(std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>{});
  });
}

void need_weights(const LibraryCall& c, size_t k) {
  if (element_count(c.in(k)) != element_count(c.in(0)))
    c.fail(VR_SHAPE_MISMATCH, std::to_string(element_count(c.in(k))) + " weights of " +
                                  std::to_string(element_count(c.in(0))) + " elements");
}

}  // namespace

void BinCount(const LibraryCall& c) {
  count_places<int64_t>(c, 1, [](int64_t) { return 1; });
}

void BinCountWeighted(const LibraryCall& c) {
  need_weights(c, 1);
  const auto weights = c.elements<double>(1);
  count_places<double>(c, 2, [&](int64_t i) { return weights[i]; });
}

void Histogram(const LibraryCall& c) {
  in_common_type(c, [&](auto zero) { histogram<decltype(zero), int64_t>(c, [](int64_t) { return 1; }); });
}

void HistogramWeighted(const LibraryCall& c) {
  need_weights(c, 2);
  const auto weights = c.elements<double>(2);
  in_common_type(c, [&](auto zero) { histogram<decltype(zero), double>(c, [&](int64_t i) { return weights[i]; }); });
}

void Digitize(const LibraryCall& c) {
  in_common_type(c, [&](auto zero) { digitize<decltype(zero)>(c); });
}

}  // namespace vr::runtime::library
