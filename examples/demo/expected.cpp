#include "expected.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace demo {

namespace {

void seidel(Matrix& f, const Matrix& w, int64_t n, int64_t m) {
  auto relax = [&](int64_t i, int64_t j, double up, double down, double left, double right) {
    f(i, j) = f(i, j) + w(i, j) * (0.25 * (up + down + left + right) - f(i, j));
  };
  for (int64_t i = 1; i < n; ++i) {
    for (int64_t j = 1; j < m; ++j) relax(i, j, f(i - 1, j), f(i + 1, j), f(i, j - 1), f(i, j + 1));
  }
  // Two edges are axes of symmetry: a neighbour beyond the edge equals the mirrored one inside.
  for (int64_t j = 1; j < m; ++j) relax(0, j, f(1, j), f(1, j), f(0, j - 1), f(0, j + 1));
  for (int64_t i = 1; i < n; ++i) relax(i, 0, f(i - 1, 0), f(i + 1, 0), f(i, 1), f(i, 1));
}

double gauss(const Matrix& f, int64_t n, int64_t m) {
  double q = 0;
  for (int64_t i = 0; i < n; ++i) q = q + (f(i, m - 1) + f(i + 1, m - 1)) * 0.5;
  for (int64_t j = 0; j < m; ++j) q = q + (f(n - 1, j) + f(n - 1, j + 1)) * 0.5;
  return q * 4 * 8.854187;
}

}  // namespace

Capr capr(double a, double b, double c, double d, int64_t n, double tol, double rel, int64_t sweeps) {
  const double h = 0.5 * c / double(n);
  const int64_t na = int64_t(std::floor(0.5 * a / h + 0.5));
  const int64_t m = int64_t(std::floor(0.5 * d / h + 0.5));
  const int64_t mb = int64_t(std::floor(0.5 * b / h + 0.5));
  Capr r;
  r.potential = Matrix(n + 1, m + 1, false);
  Matrix w(n + 1, m + 1, false);
  for (int64_t i = 0; i <= n; ++i) {
    for (int64_t j = 0; j <= m; ++j) {
      const bool conductor = i <= na && j <= mb;
      r.potential(i, j) = conductor ? 1 : 0;
      w(i, j) = conductor ? 0 : rel;
    }
  }
  double old = 0;
  for (int64_t k = 0; k < sweeps; ++k) {
    seidel(r.potential, w, n, m);
    r.capacitance = gauss(r.potential, n, m);
    if (std::abs(r.capacitance - old) / r.capacitance < tol) break;
    old = r.capacitance;
  }
  return r;
}

Matrix fiff(double a, double b, double c, int64_t n, int64_t m) {
  const double h = a / double(n - 1), k = b / double(m - 1);
  const double r2 = std::pow(c * k / h, 2), s2 = 2 - 2 * r2;
  const double pi = std::numbers::pi;
  auto wave = [&](double x) { return std::sin(pi * h * x) + std::sin(2 * pi * h * x); };
  Matrix u(n, m, false);
  for (int64_t i = 2; i < n; ++i) {
    const double x = double(i);
    u(i - 1, 0) = wave(x - 1);
    const double sides =
        std::sin(pi * h * x) + std::sin(2 * pi * h * x) + std::sin(pi * h * (x - 2)) + std::sin(2 * pi * h * (x - 2));
    u(i - 1, 1) = (1 - r2) * wave(x - 1) + r2 / 2 * sides;
  }
  for (int64_t j = 2; j < m; ++j) {
    for (int64_t i = 1; i < n - 1; ++i) {
      u(i, j) = s2 * u(i, j - 1) + r2 * (u(i - 1, j - 1) + u(i + 1, j - 1)) - u(i, j - 2);
    }
  }
  return u;
}

Matrix heat(Matrix a, int64_t steps, double alpha) {
  Matrix b = a;
  for (int64_t s = 0; s < steps; ++s) {
    for (int64_t i = 1; i < a.rows - 1; ++i) {
      for (int64_t j = 1; j < a.columns - 1; ++j) {
        b(i, j) = a(i, j) + alpha * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4.0 * a(i, j));
      }
    }
    std::swap(a, b);
  }
  return a;
}

Matrix plate(int64_t n) {
  // Hot rings around the centre that become thinner outwards, and a grid of warm lines: fine structures blur first.
  Matrix u(n, n, true);
  const double middle = double(n - 1) / 2, wire = std::max(4.0, double(n) / 32);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const double y = (double(i) - middle) / middle, x = (double(j) - middle) / middle;
      const double radius = std::sqrt(x * x + y * y);
      const bool ring = radius < 0.9 && std::cos(24 * radius * radius) > 0.6;
      const bool wires = std::fmod(double(i), wire) < 1 || std::fmod(double(j), wire) < 1;
      u(i, j) = ring ? 1.0 : wires ? 0.6 : 0.0;
    }
  }
  return u;
}

}  // namespace demo
