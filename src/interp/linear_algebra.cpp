#include "interp/linear_algebra.hpp"

#include "interp/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vr::interp {

namespace {

double conjugate(double v) { return v; }
std::complex<double> conjugate(const std::complex<double>& v) { return std::conj(v); }
double square(double v) { return v * v; }
double square(const std::complex<double>& v) { return std::norm(v); }
// Products and quotients as VRIR defines them (Smith's division); C++'s own turn some NaN into infinities.
double times(double a, double b) { return a * b; }
double over(double a, double b) { return a / b; }
std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
std::complex<double> over(const std::complex<double>& a, const std::complex<double>& b) {
  const ir::Type t = ir::Type::scalar(ir::Elem::Float64, true);
  const Scalar q = binary(ir::Kind::Div, Scalar::complex_of(a.real(), a.imag(), ir::Elem::Float64),
                          Scalar::complex_of(b.real(), b.imag(), ir::Elem::Float64), t);
  return {q.real_part(), q.imag_part()};
}
void assign(double& to, const Scalar& v) { to = v.real_part(); }
void assign(std::complex<double>& to, const Scalar& v) { to = {v.real_part(), v.imag_part()}; }

template <class T>
Dense<T> adjoint(const Dense<T>& a) {
  Dense<T> r = transposed(a);
  for (T& v : r.values) v = conjugate(v);
  return r;
}

/// x with the n x n upper (lower) triangle of a times x = the first n rows of b.
template <class T>
Dense<T> substitute(const Dense<T>& a, const Dense<T>& b, int64_t n, bool lower, bool unit = false) {
  Dense<T> x(n, b.columns);
  for (int64_t j = 0; j < b.columns; ++j) {
    for (int64_t step = 0; step < n; ++step) {
      const int64_t i = lower ? step : n - 1 - step;
      T v = b.at(i, j);
      for (int64_t k = lower ? 0 : i + 1; k < (lower ? i : n); ++k) v -= times(a.at(i, k), x.at(k, j));
      x.at(i, j) = unit ? v : over(v, a.at(i, i));
    }
  }
  return x;
}

/// LU with partial pivoting (Golub, Van Loan 3.4), the row exchanges applied to b as they happen.
template <class T>
Dense<T> solve_square(Dense<T> a, Dense<T> b) {
  const int64_t n = a.rows;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (std::abs(a.at(i, k)) > std::abs(a.at(pivot, k))) pivot = i;
    if (pivot != k) {
      for (int64_t j = 0; j < n; ++j) std::swap(a.at(k, j), a.at(pivot, j));
      for (int64_t j = 0; j < b.columns; ++j) std::swap(b.at(k, j), b.at(pivot, j));
    }
    if (a.at(k, k) == T{}) continue;  // singular: the back substitution divides by zero
    for (int64_t i = k + 1; i < n; ++i) {
      const T factor = a.at(i, k) = over(a.at(i, k), a.at(k, k));
      for (int64_t j = k + 1; j < n; ++j) a.at(i, j) -= times(factor, a.at(k, j));
    }
  }
  return substitute(a, substitute(a, b, n, true, true), n, false);
}

/// Applies the reflection I - 2 v v* / (v* v) to the rows from `from` on.
template <class T>
void reflect(Dense<T>& a, const std::vector<T>& v, int64_t from) {
  double length = 0;
  for (const T& x : v) length += square(x);
  if (length == 0) return;
  for (int64_t j = 0; j < a.columns; ++j) {
    T s{};
    for (size_t i = 0; i < v.size(); ++i) s += conjugate(v[i]) * a.at(from + static_cast<int64_t>(i), j);
    s *= 2 / length;
    for (size_t i = 0; i < v.size(); ++i) a.at(from + static_cast<int64_t>(i), j) -= s * v[i];
  }
}

/// Householder QR of a (rows >= columns): a becomes R, the reflections' vectors are returned.
template <class T>
std::vector<std::vector<T>> householder(Dense<T>& a) {
  std::vector<std::vector<T>> vectors;
  for (int64_t k = 0; k < a.columns; ++k) {
    std::vector<T> v;
    double length = 0;
    for (int64_t i = k; i < a.rows; ++i) {
      v.push_back(a.at(i, k));
      length += square(a.at(i, k));
    }
    length = std::sqrt(length);
    const double head = std::abs(v[0]);
    v[0] += (head == 0 ? T(1) : v[0] / head) * length;  // the sign that does not cancel
    reflect(a, v, k);
    vectors.push_back(std::move(v));
  }
  return vectors;
}

template <class T>
Dense<T> least_squares(Dense<T> a, Dense<T> b) {
  if (a.rows >= a.columns) {
    const int64_t n = a.columns;
    const auto q = householder(a);
    for (size_t k = 0; k < q.size(); ++k) reflect(b, q[k], static_cast<int64_t>(k));
    return substitute(a, b, n, false);
  }
  // Fewer equations than unknowns: with a* = Q R the solution of least norm is Q (R* \ b).
  Dense<T> r = adjoint(a);
  const int64_t m = a.rows;
  const auto q = householder(r);
  const Dense<T> y = substitute(adjoint(r), b, m, true);
  Dense<T> x(a.columns, b.columns);
  for (int64_t j = 0; j < b.columns; ++j)
    for (int64_t i = 0; i < m; ++i) x.at(i, j) = y.at(i, j);
  for (size_t k = q.size(); k-- > 0;) reflect(x, q[k], static_cast<int64_t>(k));
  return x;
}

/// Largest singular value: rotations make the columns orthogonal, then their lengths are the singular values (Golub,
/// Van Loan 8.6.3).
template <class T>
double largest_singular_value(Dense<T> a) {
  constexpr int max_sweeps = 60;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < max_sweeps; ++sweep) {
    rotated = false;
    for (int64_t p = 0; p < a.columns; ++p) {
      for (int64_t q = p + 1; q < a.columns; ++q) {
        double alpha = 0, beta = 0;
        T gamma{};
        for (int64_t i = 0; i < a.rows; ++i) {
          alpha += square(a.at(i, p));
          beta += square(a.at(i, q));
          gamma += conjugate(a.at(i, p)) * a.at(i, q);
        }
        const double g = std::abs(gamma);
        if (!(g > 1e-15 * std::sqrt(alpha * beta)) || g == 0) continue;
        rotated = true;
        const double zeta = (beta - alpha) / (2 * g);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t), s = c * t;
        const T phase = conjugate(gamma / g);
        for (int64_t i = 0; i < a.rows; ++i) {
          const T x = a.at(i, p), y = phase * a.at(i, q);
          a.at(i, p) = c * x - s * y;
          a.at(i, q) = s * x + c * y;
        }
      }
    }
  }
  double best = 0;
  for (int64_t j = 0; j < a.columns; ++j) {
    std::vector<double> column;
    for (int64_t i = 0; i < a.rows; ++i) column.push_back(std::abs(a.at(i, j)));
    best = std::max(best, vector_norm(column, 2));
  }
  return best;
}

}  // namespace

template <class T>
Dense<T> to_dense(const ArrayRef& a, bool column) {
  const bool vector = a.rank() == 1;
  const int64_t n = a.extent(0);
  Dense<T> d(vector ? (column ? n : 1) : n, vector ? (column ? 1 : n) : a.extent(1));
  size_t k = 0;
  for (const Scalar& v : elements(a, Order::Column)) assign(d.values[k++], v);
  return d;
}

template <class T>
Dense<T> transposed(const Dense<T>& a) {
  Dense<T> r(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j) r.at(j, i) = a.at(i, j);
  return r;
}

template <class T>
Dense<T> solve(Dense<T> a, Dense<T> b) {
  return a.rows == a.columns ? solve_square(std::move(a), std::move(b)) : least_squares(std::move(a), std::move(b));
}

double vector_norm(const std::vector<double>& x, double p) {
  if (p == 0) return static_cast<double>(std::count_if(x.begin(), x.end(), [](double v) { return v != 0; }));
  double largest = 0, smallest = x.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (double v : x) {
    if (std::isnan(v)) return v;
    largest = std::max(largest, v);
    smallest = std::min(smallest, v);
  }
  if (p == std::numeric_limits<double>::infinity()) return largest;
  if (p == -std::numeric_limits<double>::infinity()) return smallest;
  if (p > 0 && (largest == 0 || std::isinf(largest))) return largest;
  if (largest == 0 || std::isinf(largest)) largest = 1;  // nothing to scale by
  double sum = 0;                                        // scaled, so that squares neither overflow nor vanish
  for (double v : x) sum += p == 2 ? square(v / largest) : p == 1 ? v / largest : std::pow(v / largest, p);
  return largest * (p == 2 ? std::sqrt(sum) : p == 1 ? sum : std::pow(sum, 1 / p));
}

template <class T>
double matrix_norm(Dense<T> a, double p) {
  const bool infinite = p == std::numeric_limits<double>::infinity();
  if (p != 1 && p != 2 && !infinite) fail(Code::Type, "the norm of a matrix is of order 1, 2 or inf");
  double largest = 0;
  for (const T& v : a.values) {
    const double m = std::abs(v);
    if (std::isnan(m)) return m;
    largest = std::max(largest, m);
  }
  if (std::isinf(largest)) return largest;
  if (p == 2 && largest > 0) {
    // Scaled by a power of two, so that products of squares neither overflow nor vanish.
    const int exponent = std::ilogb(largest);
    for (T& v : a.values) v = (v * std::ldexp(1.0, -exponent / 2)) * std::ldexp(1.0, -(exponent - exponent / 2));
    const double r = a.rows < a.columns ? largest_singular_value(adjoint(a)) : largest_singular_value(std::move(a));
    return std::ldexp(r, exponent);
  }
  if (p == 2) return 0;
  if (infinite) a = transposed(a);
  double best = 0;
  for (int64_t j = 0; j < a.columns; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < a.rows; ++i) sum += std::abs(a.at(i, j));
    best = std::max(best, sum);
  }
  return best;
}

#define VR_INSTANTIATE(T)                               \
  template Dense<T> to_dense<T>(const ArrayRef&, bool); \
  template Dense<T> transposed(const Dense<T>&);        \
  template Dense<T> solve(Dense<T>, Dense<T>);          \
  template double matrix_norm(Dense<T>, double);
VR_INSTANTIATE(double)
VR_INSTANTIATE(std::complex<double>)
#undef VR_INSTANTIATE

}  // namespace vr::interp
