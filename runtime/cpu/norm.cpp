// vr_rt_norm: norms of vectors and matrices.
#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>
#include <limits>

#include "runtime/cpu/blas.hpp"
#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"

namespace vr::runtime {

namespace {

// clang-format off
int gesvd(int m, int n, float* a, float* s, float* super) { return LAPACKE_sgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, s, nullptr, 1, nullptr, 1, super); }
int gesvd(int m, int n, double* a, double* s, double* super) { return LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, s, nullptr, 1, nullptr, 1, super); }
int gesvd(int m, int n, std::complex<float>* a, float* s, float* super) { return LAPACKE_cgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, s, nullptr, 1, nullptr, 1, super); }
int gesvd(int m, int n, std::complex<double>* a, double* s, double* super) { return LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, s, nullptr, 1, nullptr, 1, super); }
// clang-format on

/// sqrt(sum |x|^2) without overflow: the sum is scaled by the largest value so far.
template <class Real>
class Euclid {
 public:
  void add(Real x) {
    if (std::isnan(x)) nan_ = true;
    if (std::isinf(x)) infinite_ = true;
    x = std::abs(x);
    if (x == 0 || !std::isfinite(x)) return;
    if (x > scale_) {
      sum_ = 1 + sum_ * (scale_ / x) * (scale_ / x);
      scale_ = x;
    } else {
      sum_ += (x / scale_) * (x / scale_);
    }
  }
  Real value() const {
    if (nan_) return std::numeric_limits<Real>::quiet_NaN();
    return infinite_ ? std::numeric_limits<Real>::infinity() : scale_ * std::sqrt(sum_);
  }

 private:
  Real scale_ = 0, sum_ = 0;
  bool nan_ = false, infinite_ = false;
};

template <class Real>
Real larger(Real a, Real b) {
  return std::isnan(a) || a > b ? a : b;  // NaN stays
}

/// Reads elements of a matrix with any strides.
template <class T>
struct Elements {
  const Matrix& m;
  T operator()(int64_t i, int64_t j) const {
    return *reinterpret_cast<const T*>(m.data + i * m.row_stride + j * m.col_stride);
  }
};

/// The sum of the squares, in double.
template <class T>
double sum_of_squares(const vr_context* ctx, const Matrix& m) {
  using Part = decltype(std::abs(T()));
  constexpr int64_t parts = static_cast<int64_t>(sizeof(T) / sizeof(Part)), lanes = 16;
  const bool down = m.row_stride == static_cast<int64_t>(sizeof(T)),
             right = m.col_stride == static_cast<int64_t>(sizeof(T));
  const Matrix lines = down || !right ? m : m.transposed();
  double total = 0, sums[lanes] = {};
  const BlasThreads one(ctx, 0);
  for (int64_t j = 0; j < lines.cols; ++j) {
    const char* line = lines.data + j * lines.col_stride;
    if (!down && !right) {
      for (int64_t i = 0; i < lines.rows; ++i) {
        const T v = *reinterpret_cast<const T*>(line + i * lines.row_stride);
        const double re = std::real(v), im = std::imag(v);
        total += re * re + im * im;
      }
      continue;
    }
    const auto* x = reinterpret_cast<const Part*>(line);
    const int64_t n = lines.rows * parts;
    int64_t i = 0;
    if constexpr (std::is_same_v<Part, double>) {
      for (; i < n; i += 1 << 30) {
        const int some = static_cast<int>(std::min<int64_t>(n - i, 1 << 30));
        total += cblas_ddot(some, x + i, 1, x + i, 1);
      }
    }
    for (; i + lanes <= n; i += lanes)
      for (int64_t k = 0; k < lanes; ++k) sums[k] += static_cast<double>(x[i + k]) * static_cast<double>(x[i + k]);
    for (; i < n; ++i) total += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  }
  for (double s : sums) total += s;
  return total;
}

template <class Real, class T>
Real euclid(const vr_context* ctx, const Matrix& m) {
  // If no square is too large or too small for a double, their sum is accurate.
  if (const double sum = sum_of_squares<T>(ctx, m); sum > 1e-270 && sum < 1e300)
    return static_cast<Real>(std::sqrt(sum));
  Elements<T> at{m};
  Euclid<Real> sum;
  for (int64_t j = 0; j < m.cols; ++j) {
    for (int64_t i = 0; i < m.rows; ++i) {
      sum.add(std::real(at(i, j)));
      if constexpr (!std::is_same_v<Real, T>) sum.add(std::imag(at(i, j)));
    }
  }
  return sum.value();
}

/// m is one column.
template <class Real, class T>
Real vector_norm(const vr_context* ctx, const Matrix& m, double p) {
  if (p == 2) return euclid<Real, T>(ctx, m);
  Elements<T> at{m};
  if (std::isinf(p)) {
    Real extreme = p > 0 || m.rows == 0 ? Real(0) : std::abs(at(0, 0));
    for (int64_t i = 0; i < m.rows; ++i) {
      Real x = std::abs(at(i, 0));
      extreme = p > 0 ? larger(extreme, x) : -larger(-extreme, -x);
    }
    return extreme;
  }
  Real sum = 0;
  for (int64_t i = 0; i < m.rows; ++i) {
    Real x = std::abs(at(i, 0));
    sum += p == 0 ? Real(x != 0) : p == 1 ? x : std::pow(x, Real(p));
  }
  return p == 0 || p == 1 ? sum : std::pow(sum, Real(1 / p));
}

/// Largest sum of |x| over a column.
template <class Real, class T>
Real column_sums(const Matrix& m) {
  Elements<T> at{m};
  Real best = 0;
  for (int64_t j = 0; j < m.cols; ++j) {
    Real sum = 0;
    for (int64_t i = 0; i < m.rows; ++i) sum += std::abs(at(i, j));
    best = larger(best, sum);
  }
  return best;
}

/// The largest singular value.
template <class Real, class T>
int32_t spectral(const vr_context* ctx, const Matrix& m, Real* result) {
  Real size = euclid<Real, T>(ctx, m);
  *result = size;
  if (!std::isfinite(size) || size == 0 || m.rows == 1 || m.cols == 1) return VR_OK;
  int64_t least = std::min(m.rows, m.cols), width = sizeof(T);
  void* a = pool_allocate(m.rows * m.cols * width, false);
  auto* values = static_cast<Real*>(pool_allocate(2 * least * static_cast<int64_t>(sizeof(Real)), false));
  int32_t status = VR_OUT_OF_MEMORY;
  if (a && values) {
    int64_t extents[] = {m.rows, m.cols}, to[] = {width, m.rows * width}, from[] = {m.row_stride, m.col_stride};
    copy_elements(2, extents, width, static_cast<char*>(a), to, m.data, from);
    BlasThreads threads(ctx, static_cast<double>(m.rows) * static_cast<double>(m.cols) * static_cast<double>(least));
    int info = gesvd(static_cast<int>(m.rows), static_cast<int>(m.cols), static_cast<T*>(a), values, values + least);
    if (info != LAPACK_WORK_MEMORY_ERROR && info != LAPACK_TRANSPOSE_MEMORY_ERROR) {
      *result = info == 0 ? values[0] : std::numeric_limits<Real>::quiet_NaN();
      status = VR_OK;
    }
  }
  pool_free(a);
  pool_free(values);
  return status;
}

template <class Real, class T>
int32_t norm(const vr_context* ctx, Matrix m, bool as_vector, int32_t kind, double p, Real* result) {
  if (kind == VR_NORM_FRO || (as_vector && p == 2)) {
    *result = euclid<Real, T>(ctx, m);
  } else if (as_vector) {
    *result = vector_norm<Real, T>(ctx, m.cols == 1 ? m : m.transposed(), p);
  } else if (p == 1) {
    *result = column_sums<Real, T>(m);
  } else if (p == std::numeric_limits<double>::infinity()) {
    *result = column_sums<Real, T>(m.transposed());
  } else if (p == 2) {
    return m.rows > INT_MAX || m.cols > INT_MAX ? VR_SIZE : spectral<Real, T>(ctx, m, result);
  } else {
    return VR_TYPE;
  }
  return VR_OK;
}

}  // namespace

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" int32_t vr_rt_norm(vr_context* ctx, const vr_site* site, const vr_array* a, vr_array* out, double p,
                              int32_t kind) {
  int32_t base = a->elem & ~VR_COMPLEX;
  if (a->rank > 2 || !is_float_code(a->elem)) {
    return fail(ctx, site, VR_TYPE, "a norm takes a floating vector or matrix");
  }
  Matrix m = matrix_of(*a);
  bool as_vector = a->rank == 1 || (kind != VR_NORM_MATRIX && (m.rows == 1 || m.cols == 1));
  const int64_t one = 1;
  vr_array made;
  int32_t status = vr_rt_alloc(ctx, site, &made, base, 1, &one, VR_ROWMAJOR, VR_FILL_NONE, VR_IN_ENGINE);
  if (status != VR_OK) return status;
  status = visit_floating(a->elem, int32_t{VR_TYPE}, [&]<class T>(std::type_identity<T>) {
    using Real = decltype(std::abs(T()));
    return norm<Real, T>(ctx, m, as_vector, kind, p, static_cast<Real*>(made.data));
  });
  if (status != VR_OK) {
    vr_rt_release(made.owner);
    return fail(ctx, site, status,
                status == VR_TYPE ? "the norm of a matrix is of order 1, 2 or inf" : "no memory for a norm");
  }
  *out = made;
  return VR_OK;
}
