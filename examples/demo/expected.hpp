// The expected results of the demo's programs, computed in plain C++ with the same algorithms.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace demo {

/// A column-major (MATLAB) or row-major (NumPy) matrix.
struct Matrix {
  int64_t rows = 0, columns = 0;
  bool row_major = false;
  std::vector<double> values;

  Matrix() = default;
  Matrix(int64_t r, int64_t c, bool rm) : rows(r), columns(c), row_major(rm), values(std::size_t(r * c), 0.0) {}
  double& operator()(int64_t i, int64_t j) { return values[std::size_t(row_major ? i * columns + j : j * rows + i)]; }
  double operator()(int64_t i, int64_t j) const { return values[std::size_t(row_major ? i * columns + j : j * rows + i)]; }
};

/// Capacitance of a transmission line by Gauss-Seidel with relaxation (examples/capr.m).
struct Capr {
  double capacitance = 0;
  Matrix potential;
};
Capr capr(double a, double b, double c, double d, int64_t n, double tol, double rel, int64_t sweeps);

/// Wave equation by finite differences (examples/fiff.m).
Matrix fiff(double a, double b, double c, int64_t n, int64_t m);

/// Heat conduction (examples/heat.vrir), and the plate that the demo starts from.
Matrix heat(Matrix u, int64_t steps, double alpha);
Matrix plate(int64_t n);

}  // namespace demo
