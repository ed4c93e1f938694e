// Bessel functions of integer order. J and Y by the C library; I and K by the mathematical special functions of C++17.
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

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

double bessel_i(int n, double x) {
  const double size = std::abs(x);
  double y = std::isinf(size) || (size > far && n < far / 10) ? inf : std::cyl_bessel_i(static_cast<double>(n), size);
  return x < 0 && n % 2 == 1 ? -y : y;
}

double bessel_k(int n, double x) {
  if (x < 0) return nan;
  if (x == 0) return inf;
  if (std::isinf(x) || (x > far && n < far / 10)) return 0;
  return std::cyl_bessel_k(static_cast<double>(n), x);
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
  bessel(c, [](int n, double x) { return bessel_i(std::abs(n), x); });
}

void BesselK(const LibraryCall& c) {
  bessel(c, [](int n, double x) { return bessel_k(std::abs(n), x); });
}

}  // namespace vr::runtime::library
