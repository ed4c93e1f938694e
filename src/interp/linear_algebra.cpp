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
// Products and quotients as VRIR defines them (Smith's division); C++'s operators turn some NaN into infinities.
double times(double a, double b) { return a * b; }
double over(double a, double b) { return a / b; }
std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
std::complex<double> over(const std::complex<double>& a, const std::complex<double>& b) {
  // As LAPACK's elimination does if a pivot is 0.
  if (b == std::complex<double>()) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
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
    if (a.at(k, k) == T{}) continue;  // singular: the back substitution then divides by zero
    for (int64_t i = k + 1; i < n; ++i) {
      const T factor = a.at(i, k) = over(a.at(i, k), a.at(k, k));
      for (int64_t j = k + 1; j < n; ++j) a.at(i, j) -= times(factor, a.at(k, j));
    }
  }
  return substitute(a, substitute(a, b, n, true, true), n, false);
}

/// Rotations make the columns of a orthogonal (Golub, Van Loan 8.6.3): a becomes U S and v becomes v V, with a = U S V* the
/// singular value decomposition of what a was.
template <class T>
void orthogonalise(Dense<T>& a, Dense<T>& v) {
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
        for (Dense<T>* m : {&a, &v}) {
          for (int64_t i = 0; i < m->rows; ++i) {
            const T x = m->at(i, p), y = phase * m->at(i, q);
            m->at(i, p) = c * x - s * y;
            m->at(i, q) = s * x + c * y;
          }
        }
      }
    }
  }
}

template <class T>
double column_norm(const Dense<T>& a, int64_t j) {
  std::vector<double> column;
  for (int64_t i = 0; i < a.rows; ++i) column.push_back(std::abs(a.at(i, j)));
  return vector_norm(column, 2);
}

/// a times 2^exponent, in two steps, because the power alone may overflow.
template <class T>
void times_power(Dense<T>& a, int exponent) {
  const int half = exponent / 2;
  for (T& v : a.values) v = (v * std::ldexp(1.0, half)) * std::ldexp(1.0, exponent - half);
}

/// Scales by a power of two so that the largest magnitude is near 1, and products of squares neither overflow nor underflow.
/// Returns the exponent of the scale.
template <class T>
int scale(Dense<T>& a) {
  double largest = 0;
  for (const T& v : a.values) largest = std::max(largest, std::abs(v));
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  times_power(a, -exponent);
  return exponent;
}

/// The x of least norm among those for which |a x - b| is least. Singular values of at most `epsilon` times the longer
/// side times the largest one count as zero, as in NumPy's lstsq.
template <class T>
Dense<T> least_squares(Dense<T> a, const Dense<T>& b, double epsilon) {
  Dense<T> x(a.columns, b.columns);
  auto finite = [](const T& v) { return std::isfinite(std::abs(v)); };
  if (!std::all_of(a.values.begin(), a.values.end(), finite) || !std::all_of(b.values.begin(), b.values.end(), finite)) {
    std::fill(x.values.begin(), x.values.end(), T(std::numeric_limits<double>::quiet_NaN()));
    return x;
  }
  const int exponent = scale(a);
  const bool wide = a.rows < a.columns;  // then of a* = U S V*, so that fewer columns are rotated
  Dense<T> u = wide ? adjoint(a) : a, v(u.columns, u.columns);
  for (int64_t j = 0; j < v.columns; ++j) v.at(j, j) = T(1);
  orthogonalise(u, v);
  std::vector<double> singular;
  for (int64_t j = 0; j < u.columns; ++j) singular.push_back(column_norm(u, j));
  const double largest = singular.empty() ? 0 : *std::max_element(singular.begin(), singular.end());
  const double limit = epsilon * static_cast<double>(std::max(a.rows, a.columns)) * largest;
  // x = V S^-1 U* b; with a* instead U S^-1 V* b. The columns of u are those of U S.
  const Dense<T>&into = wide ? u : v, &from = wide ? v : u;
  for (int64_t k = 0; k < u.columns; ++k) {
    const double s = singular[static_cast<size_t>(k)];
    if (s <= limit || s == 0) continue;
    for (int64_t j = 0; j < b.columns; ++j) {
      T weight{};
      for (int64_t i = 0; i < from.rows; ++i) weight += conjugate(from.at(i, k)) * b.at(i, j);
      weight = weight / s / s;
      for (int64_t i = 0; i < into.rows; ++i) x.at(i, j) += weight * into.at(i, k);
    }
  }
  times_power(x, -exponent);
  return x;
}

template <class T>
double largest_singular_value(Dense<T> a) {
  Dense<T> none(0, a.columns);
  orthogonalise(a, none);
  double best = 0;
  for (int64_t j = 0; j < a.columns; ++j) best = std::max(best, column_norm(a, j));
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
Dense<T> solve(Dense<T> a, Dense<T> b, double epsilon) {
  return a.rows == a.columns ? solve_square(std::move(a), std::move(b)) : least_squares(std::move(a), b, epsilon);
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
  if (largest == 0 || std::isinf(largest)) largest = 1;  // all magnitudes are 0, inf or NaN: no scaling
  double sum = 0;                                        // scaled, so that squares neither overflow nor underflow
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
    const int exponent = scale(a);
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
  template Dense<T> solve(Dense<T>, Dense<T>, double);  \
  template double matrix_norm(Dense<T>, double);
VR_INSTANTIATE(double)
VR_INSTANTIATE(std::complex<double>)
#undef VR_INSTANTIATE

}  // namespace vr::interp
