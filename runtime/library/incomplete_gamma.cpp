// The incomplete gamma functions, regularised: P(a, x), the share of the gamma distribution of shape a below x, and
// Q(a, x) = 1 - P(a, x).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

struct Shares {
  double below, above;
};

/// a log(a / x) + x - a, which is >= 0, without cancellation for a near x (C. Loader, "Fast and accurate computation of
/// binomial probabilities", 2000).
double deviance(double a, double x) {
  if (std::abs(a - x) >= 0.1 * (a + x)) return a * std::log(a / x) + x - a;
  const double v = (a - x) / (a + x);
  double sum = (a - x) * v, term = 2 * a * v;
  for (int k = 1; k < 1000; ++k) {
    term *= v * v;
    const double next = sum + term / (2 * k + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

/// x^a e^-x / Gamma(a + 1)
double density(double a, double x) {
  if (a < 15) return (x < 100 ? std::pow(x, a) * std::exp(-x) : std::exp(a * std::log(x) - x)) / std::tgamma(a + 1);
  // Stirling's series for log Gamma(a + 1)
  const double z = 1 / (a * a);
  const double rest = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) / a;
  return std::exp(-deviance(a, x) - rest) / std::sqrt(2 * std::numbers::pi * a);
}

/// log Gamma(1 + a) for 0 <= a <= 1/2, with full relative precision.
double log_gamma_1p(double a) {
  constexpr int terms = 30;
  static const std::array<double, terms> above_one = [] {  // zeta(k + 2) - 1
    std::array<double, terms> z{};
    for (int k = 0; k < terms; ++k)
      for (int n = 60; n > 1; --n) z[static_cast<size_t>(k)] += std::pow(n, -(k + 2));
    // what the sum up to 60 leaves out (Euler and Maclaurin)
    for (int k = 0; k < terms; ++k) {
      const double s = k + 2, n = 61;
      z[static_cast<size_t>(k)] += std::pow(n, 1 - s) / (s - 1) + 0.5 * std::pow(n, -s) + s / 12 * std::pow(n, -s - 1) -
                                   s * (s + 1) * (s + 2) / 720 * std::pow(n, -s - 3);
    }
    return z;
  }();
  double sum = 0;
  for (int k = terms - 1; k >= 0; --k) sum = sum * -a + above_one[static_cast<size_t>(k)] / (k + 2);
  return -std::log1p(a) + a * (1 - std::numbers::egamma) + sum * a * a;
}

/// The leading term of N. M. Temme's uniform expansion (1979), for great a: the next one is smaller by a factor of a.
Shares of_great_shape(double a, double x) {
  const double half = deviance(a, x) / a, distance = std::copysign(std::sqrt(2 * half), x - a), ratio = (x - a) / a;
  const double d = distance;
  const double first = std::abs(d) < 0.01 ? -1.0 / 3 + d / 12 - 2 * d * d / 135 + d * d * d / 864 : 1 / ratio - 1 / d;
  const double correction = std::exp(-a * half) / std::sqrt(2 * std::numbers::pi * a) * first;
  const double at = d * std::sqrt(a / 2);
  return {std::erfc(-at) / 2 - correction, std::erfc(at) / 2 + correction};
}

Shares shares(double a, double x) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), eps = std::numeric_limits<double>::epsilon() / 4;
  if (!(a >= 0) || !(x >= 0) || (std::isinf(a) && std::isinf(x))) return {nan, nan};
  if (std::isinf(x) || (a == 0 && x > 0)) return {1, 0};
  if (a == 0) return {nan, nan};
  if (x == 0 || std::isinf(a)) return {0, 1};
  if (a >= 1e10) return of_great_shape(a, x);
  if (x < 1.5 && a < 0.5) {  // Q itself: for small a, 1 - P would cancel
    double term = 1, sum = 0;
    for (int k = 1; k < 200; ++k) {
      term *= -x / k;
      sum += term * a / (a + k);
      if (std::abs(term) < eps * std::abs(sum)) break;
    }
    const double power = a * std::log(x) - log_gamma_1p(a);
    return {std::exp(power) * (1 + sum), -std::expm1(power) - std::exp(power) * sum};
  }
  const double scale = density(a, x);
  if (x < a + 1) {
    double term = 1, sum = 1;
    for (double k = 1; term > eps * sum; ++k) {
      term *= x / (a + k);
      sum += term;
    }
    const double p = std::min(scale * sum, 1.0);
    return {p, 1 - p};
  }
  // Legendre's continued fraction, by the method of Lentz
  constexpr double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (double k = 1; k < 1e7; ++k) {
    const double an = -k * (k - a);
    b += 2;
    d = an * d + b;
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    c = b + an / c;
    if (std::abs(c) < tiny) c = tiny;
    h *= d * c;
    if (std::abs(d * c - 1) <= 2 * eps) break;
  }
  const double q = std::min(scale * a * h, 1.0);
  return {1 - q, q};
}

template <class R>
void each_share(const LibraryCall& c) {
  const auto x = c.elements<double>(0), a = c.elements<double>(1);
  const bool above = c.truth(2, false), one_x = c.is_number(0), one_a = c.is_number(1);
  const vr_array& like = one_x ? c.in(1) : c.in(0);
  const auto extents = [](const vr_array& v) {
    return std::span<const int64_t>(v.extent, static_cast<size_t>(v.rank));
  };
  if (!one_x && !one_a && !std::ranges::equal(extents(c.in(0)), extents(c.in(1))))
    c.fail(VR_SHAPE_MISMATCH, "the arguments have different shapes");
  const vr_array& out = c.make(0, extents(like));
  Buffer<R> y(element_count(like));
  for (int64_t i = 0; i < y.size(); ++i) {
    const Shares s = shares(a[one_a ? 0 : i], x[one_x ? 0 : i]);
    y[i] = static_cast<R>(above ? s.above : s.below);
  }
  scatter(c, y.data(), out);
}

}  // namespace

void GammaInc(const LibraryCall& c) { c.result_elem(0) == VR_FLOAT32 ? each_share<float>(c) : each_share<double>(c); }

}  // namespace vr::runtime::library
