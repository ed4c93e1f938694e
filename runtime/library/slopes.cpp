// Differences and areas along an axis: gradient, trapezoid.
#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

/// The distances between points: one for all, or the coordinate of each point.
class Spacing {
 public:
  /// Argument k for `points` points: a number, an array of as many coordinates, or absent (distance 1).
  Spacing(const LibraryCall& c, size_t k, int64_t points) {
    if (!c.given(k)) return;
    if (c.is_number(k)) {
      step_ = c.number(k);
      return;
    }
    places_ = c.values<double>(k);
    if (places_.size() != points)
      c.fail(VR_SHAPE_MISMATCH, std::to_string(places_.size()) + " places of " + std::to_string(points) + " elements");
    // If distances are equal, they are treated as one number, so that the results are the same to the last digit.
    bool even = points > 1;
    for (int64_t i = 1; even && i < points; ++i) even = places_[i] - places_[i - 1] == places_[1] - places_[0];
    if (!even) return;
    step_ = places_[1] - places_[0];
    places_ = Buffer<double>();
  }
  bool even() const { return places_.size() == 0; }
  double step() const { return step_; }
  double distance(int64_t i) const { return even() ? step_ : places_[i + 1] - places_[i]; }

 private:
  double step_ = 1;
  Buffer<double> places_;  ///< empty if all points have the distance `step_`
};

/// The elements of a line, converted to R.
template <class R>
void read_line(const LibraryCall& c, const char* from, const Lines& lines, Buffer<R>& to) {
  visit_real(c.in(0), [&](auto tag) {
    using E = typename decltype(tag)::type;
    for (int64_t i = 0; i < lines.count; ++i) {
      E parts[2] = {};
      const char* at = from + i * lines.stride;
      if constexpr (std::is_floating_point_v<R>) {
        std::memcpy(parts, at, sizeof(E));
        to[i] = static_cast<R>(parts[0]);
      } else {
        std::memcpy(parts, at, sizeof parts);
        to[i] = R(static_cast<typename R::value_type>(parts[0]), static_cast<typename R::value_type>(parts[1]));
      }
    }
  });
}

/// R: the type of the results; P: that of their real parts.
template <class R, class P>
void gradient(const LibraryCall& c) {
  const vr_array& a = c.in(0);
  int32_t axis = c.axis(1);
  if (axis < 0) axis = c.matlab() ? first_longer_than_one(a) : a.rank - 1;
  const Lines from = lines_of(a, axis);
  const int64_t n = from.count;
  if (n < 2) c.fail(VR_SIZE, "of fewer than 2 elements along the dimension");
  const Spacing h(c, 2, n);
  const vr_array& out = c.make(0, std::span<const int64_t>(a.extent, static_cast<size_t>(a.rank)));
  const Lines to = lines_of(out, axis);
  Buffer<R> y(n);
  const P twice = static_cast<P>(2 * h.step());
  for_each_pair(from.across, to.across, [&](const char* p, char* q) {
    read_line(c, p, from, y);
    for (int64_t i = 0; i < n; ++i) {
      R d;
      if (i == 0 || i == n - 1) {
        const int64_t low = i == 0 ? 0 : n - 2;
        d = (y[low + 1] - y[low]) / static_cast<P>(h.distance(low));
      } else if (h.even()) {
        d = (y[i + 1] - y[i - 1]) / twice;
      } else if (c.matlab()) {
        d = (y[i + 1] - y[i - 1]) / static_cast<P>(h.distance(i - 1) + h.distance(i));
      } else {
        // The slope of the parabola through three points.
        const double b = h.distance(i - 1), f = h.distance(i);
        d = static_cast<P>(-f / (b * (b + f))) * y[i - 1] + static_cast<P>((f - b) / (b * f)) * y[i] +
            static_cast<P>(b / (f * (b + f))) * y[i + 1];
      }
      std::memcpy(q + i * to.stride, &d, sizeof d);
    }
  });
}

/// Sums of float32 are computed in float64.
template <class R, class Wide>
void trapezoid(const LibraryCall& c) {
  const int32_t axis = c.axis(1);
  const Lines lines = lines_of(c.in(0), axis);
  const Spacing h(c, 2, lines.count);
  const vr_array out = make_reduced(c, 0, axis);
  Buffer<R> y(lines.count);
  for_each_pair(lines.across, out, [&](const char* p, char* q) {
    read_line(c, p, lines, y);
    Wide sum{};
    for (int64_t i = 0; i + 1 < lines.count; ++i) sum += h.distance(i) * (Wide(y[i]) + Wide(y[i + 1])) / 2.0;
    const R r = static_cast<R>(sum);
    std::memcpy(q, &r, sizeof r);
  });
}

}  // namespace

void Gradient(const LibraryCall& c) {
  const bool complex = c.result_elem(0) & VR_COMPLEX;
  if (real_part(c.result_elem(0)) == ir::Elem::Float32)
    return complex ? gradient<std::complex<float>, float>(c) : gradient<float, float>(c);
  complex ? gradient<std::complex<double>, double>(c) : gradient<double, double>(c);
}

void Trapezoid(const LibraryCall& c) {
  const bool complex = c.result_elem(0) & VR_COMPLEX;
  if (real_part(c.result_elem(0)) == ir::Elem::Float32)
    return complex ? trapezoid<std::complex<float>, std::complex<double>>(c) : trapezoid<float, double>(c);
  complex ? trapezoid<std::complex<double>, std::complex<double>>(c) : trapezoid<double, double>(c);
}

}  // namespace vr::runtime::library
