// Bessel functions of integer order. J and Y by the C library; I by Chebyshev series for orders 0 and 1, and by the
// mathematical special functions of C++17 for others; K by such series and recurrence.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "runtime/library/bessel_series.hpp"
#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

// The time for a value is proportional to its order, and for such orders the result is 0 or infinite unless x is huge.
constexpr int64_t greatest_order = 100000;

// I grows like exp(x), so it is infinite above this limit unless the order is greater than x; its continued fraction
// would not converge.
constexpr double far = 10000;

/// The sum of a Chebyshev series at t (Clenshaw).
template <size_t n>
double sum_of(const double (&series)[n], double t) {
  double a = 0, b = 0;
  for (size_t k = n - 1; k > 0; --k) {
    const double next = 2 * t * a - b + series[k];
    b = a;
    a = next;
  }
  return t * a - b + series[0];
}

/// The sums at several numbers: each step of one waits for the one before.
constexpr int together = 8;
template <size_t n>
void sums_of(const double (&series)[n], const double (&t)[together], double (&sum)[together]) {
  double a[together] = {}, b[together] = {};
  for (size_t k = n - 1; k > 0; --k)
    for (int i = 0; i < together; ++i) {
      const double next = 2 * t[i] * a[i] - b[i] + series[k];
      b[i] = a[i];
      a[i] = next;
    }
  for (int i = 0; i < together; ++i) sum[i] = t[i] * a[i] - b[i] + series[0];
}

/// I of order 0 or 1 for x >= 0.
double bessel_i_low(int n, double x) {
  // In two factors, of which neither overflows where the product does not.
  const double root = std::exp(x / 2);
  const double scaled =
      x <= 8 ? (n == 0 ? sum_of(series::i0_near, x / 4 - 1) : x * sum_of(series::i1_near, x / 4 - 1))
             : (n == 0 ? sum_of(series::i0_far, 16 / x - 1) : sum_of(series::i1_far, 16 / x - 1)) / std::sqrt(x);
  return root * scaled * root;
}

/// K for x > 0 and n >= 0, upwards from orders 0 and 1.
double bessel_k_up(int n, double x) {
  double low, high, factor = 1, rest = 1;
  if (x <= 2) {
    const double log = std::log(x / 2), t = x * x / 2 - 1;
    low = sum_of(series::k0_near, t) - log * bessel_i_low(0, x);
    high = sum_of(series::k1_near, t) / x + log * bessel_i_low(1, x);
  } else {
    low = sum_of(series::k0_far, 4 / x - 1);
    high = sum_of(series::k1_far, 4 / x - 1);
    factor = std::exp(-x / 2) / std::sqrt(x);
    rest = std::exp(-x / 2);
  }
  int shifts = 0;  // by which the numbers were divided so that they do not overflow
  for (int k = 1; k < n && std::isfinite(high); ++k) {
    const double next = low + 2.0 * k / x * high;
    low = high;
    high = next;
    if (high > 1e200 && std::isfinite(high)) {
      low *= 1e-200;
      high *= 1e-200;
      ++shifts;
    }
  }
  double y = (n == 0 ? low : high) * factor * rest;
  for (; shifts > 0 && std::isfinite(y); --shifts) y *= 1e200;
  return y;
}

double bessel_i(int n, double x) {
  const double size = std::abs(x);
  if (n <= 1 && size <= 1e4) {
    const double y = bessel_i_low(n, size);
    return x < 0 && n == 1 ? -y : y;
  }
  double y = std::isinf(size) || (size > far && n < far / 10) ? inf : std::cyl_bessel_i(static_cast<double>(n), size);
  return x < 0 && n % 2 == 1 ? -y : y;
}

double bessel_k(int n, double x) {
  if (x < 0) return nan;
  if (x == 0) return inf;
  if (std::isinf(x) || (x > far && n < far / 10)) return 0;
  return bessel_k_up(n, x);
}

template <class R, class F>
void each(const LibraryCall& c, F f) {
  const vr_array& a = c.in(0);
  const int64_t order = c.whole(1);
  if (order < -greatest_order || order > greatest_order)
    c.fail(VR_SIZE, "order " + std::to_string(order) + " is not between -100000 and 100000");
  const auto x = c.elements<double>(0);
  const vr_array& out = c.make(0, std::span<const int64_t>(a.extent, static_cast<size_t>(a.rank)));
  Buffer<R> y(x.size());
  for (int64_t i = 0; i < x.size(); ++i) {
    try {
      y[i] = std::isnan(x[i]) ? std::numeric_limits<R>::quiet_NaN() : static_cast<R>(f(static_cast<int>(order), x[i]));
    } catch (const std::runtime_error&) {
      c.fail(VR_TYPE, "no convergence for order " + std::to_string(order) + " and " + std::to_string(x[i]));
    }
  }
  scatter(c, y.data(), out);
}

/// I of order 0 or 1 for several numbers; the same values as bessel_i up to the last digits.
void bessel_i_low(int n, const double* x, double* y) {
  constexpr double inner = 8;
  double size[together], near[together], far[together], at_near[together], at_far[together];
  bool any_near = false, any_far = false;
  for (int i = 0; i < together; ++i) {
    size[i] = std::abs(x[i]);
    at_near[i] = std::min(size[i], inner) / 4 - 1;
    at_far[i] = 16 / std::max(size[i], inner) - 1;
    any_near |= size[i] <= inner;
    any_far |= size[i] > inner;
  }
  if (any_near) n == 0 ? sums_of(series::i0_near, at_near, near) : sums_of(series::i1_near, at_near, near);
  if (any_far) n == 0 ? sums_of(series::i0_far, at_far, far) : sums_of(series::i1_far, at_far, far);
  for (int i = 0; i < together; ++i) {
    if (!(size[i] <= 1e4)) {  // also NaN
      y[i] = std::isnan(x[i]) ? nan : bessel_i(n, x[i]);
      continue;
    }
    const double root = std::exp(size[i] / 2);
    const double scaled = size[i] <= inner ? (n == 0 ? near[i] : size[i] * near[i]) : far[i] / std::sqrt(size[i]);
    y[i] = root * scaled * root;
    if (n == 1 && x[i] < 0) y[i] = -y[i];
  }
}

template <class R>
void each_i_low(const LibraryCall& c, int order) {
  const vr_array& a = c.in(0);
  const auto x = c.elements<double>(0);
  const vr_array& out = c.make(0, std::span<const int64_t>(a.extent, static_cast<size_t>(a.rank)));
  Buffer<R> y(x.size());
  for (int64_t i = 0; i < x.size(); i += together) {
    double from[together] = {}, to[together];
    const int64_t count = std::min<int64_t>(together, x.size() - i);
    std::copy_n(x.begin() + i, count, from);
    bessel_i_low(order, from, to);
    for (int64_t k = 0; k < count; ++k) y[i + k] = static_cast<R>(to[k]);
  }
  scatter(c, y.data(), out);
}

template <class F>
void bessel(const LibraryCall& c, F f) {
  c.result_elem(0) == VR_FLOAT32 ? each<float>(c, f) : each<double>(c, f);
}

}  // namespace

void BesselJ(const LibraryCall& c) {
  bessel(c, [](int n, double x) { return ::jn(n, x); });
}

void BesselY(const LibraryCall& c) {
  bessel(c, [](int n, double x) { return x < 0 ? nan : ::yn(n, x); });
}

// I and K of order -n equal those of order n.
void BesselI(const LibraryCall& c) {
  if (const int64_t order = c.whole(1); order >= -1 && order <= 1) {
    const int n = static_cast<int>(std::abs(order));
    return c.result_elem(0) == VR_FLOAT32 ? each_i_low<float>(c, n) : each_i_low<double>(c, n);
  }
  bessel(c, [](int n, double x) { return bessel_i(std::abs(n), x); });
}

void BesselK(const LibraryCall& c) {
  bessel(c, [](int n, double x) { return bessel_k(std::abs(n), x); });
}

}  // namespace vr::runtime::library
