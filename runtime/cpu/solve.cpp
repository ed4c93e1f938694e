// vr_rt_solve and vr_rt_solve_right: linear systems through LAPACK.
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
// The _work functions do not look for NaN first; a system with NaN has an answer with NaN, not an error.
int getrf(int n, float* a, int* p) { return LAPACKE_sgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, p); }
int getrf(int n, double* a, int* p) { return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, p); }
int getrf(int n, std::complex<float>* a, int* p) { return LAPACKE_cgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, p); }
int getrf(int n, std::complex<double>* a, int* p) { return LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, p); }
int getrs(int n, int r, float* a, int* p, float* b) { return LAPACKE_sgetrs_work(LAPACK_COL_MAJOR, 'N', n, r, a, n, p, b, n); }
int getrs(int n, int r, double* a, int* p, double* b) { return LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, r, a, n, p, b, n); }
int getrs(int n, int r, std::complex<float>* a, int* p, std::complex<float>* b) { return LAPACKE_cgetrs_work(LAPACK_COL_MAJOR, 'N', n, r, a, n, p, b, n); }
int getrs(int n, int r, std::complex<double>* a, int* p, std::complex<double>* b) { return LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', n, r, a, n, p, b, n); }
int gelsd(int m, int n, int r, float* a, float* b, int ldb, float* s, float rcond, int* rank) { return LAPACKE_sgelsd(LAPACK_COL_MAJOR, m, n, r, a, m, b, ldb, s, rcond, rank); }
int gelsd(int m, int n, int r, double* a, double* b, int ldb, double* s, double rcond, int* rank) { return LAPACKE_dgelsd(LAPACK_COL_MAJOR, m, n, r, a, m, b, ldb, s, rcond, rank); }
int gelsd(int m, int n, int r, std::complex<float>* a, std::complex<float>* b, int ldb, float* s, float rcond, int* rank) { return LAPACKE_cgelsd(LAPACK_COL_MAJOR, m, n, r, a, m, b, ldb, s, rcond, rank); }
int gelsd(int m, int n, int r, std::complex<double>* a, std::complex<double>* b, int ldb, double* s, double rcond, int* rank) { return LAPACKE_zgelsd(LAPACK_COL_MAJOR, m, n, r, a, m, b, ldb, s, rcond, rank); }
void trsm(CBLAS_UPLO uplo, int n, int r, const float* a, float* b) { cblas_strsm(CblasColMajor, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, r, 1, a, n, b, n); }
void trsm(CBLAS_UPLO uplo, int n, int r, const double* a, double* b) { cblas_dtrsm(CblasColMajor, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, r, 1, a, n, b, n); }
void trsm(CBLAS_UPLO uplo, int n, int r, const std::complex<float>* a, std::complex<float>* b) { const std::complex<float> one(1); cblas_ctrsm(CblasColMajor, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, r, &one, a, n, b, n); }
void trsm(CBLAS_UPLO uplo, int n, int r, const std::complex<double>* a, std::complex<double>* b) { const std::complex<double> one(1); cblas_ztrsm(CblasColMajor, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, r, &one, a, n, b, n); }
// clang-format on

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

template <class T>
bool all_finite(const T* values, int64_t n) {
  auto* p = reinterpret_cast<const typename RealOf<T>::type*>(values);
  return std::all_of(p, p + n * static_cast<int64_t>(sizeof(T) / sizeof(*p)), [](auto v) { return std::isfinite(v); });
}

template <class T>
bool is_triangular(const T* a, int n, bool upper) {
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = upper ? j + 1 : 0; i < (upper ? n : j); ++i) {
      if (a[i + j * n] != T(0)) return false;
    }
  }
  return true;
}

/// x (ldb rows, r columns, column-major; holds b at first) becomes the solution. a (m x n, column-major) is
/// overwritten. OK, or OUT_OF_MEMORY.
template <class T>
int32_t solve(int m, int n, int r, T* a, T* x, int ldb) {
  using Real = typename RealOf<T>::type;
  if (m == n) {
    bool upper = is_triangular(a, n, true);
    if (upper || is_triangular(a, n, false)) {
      trsm(upper ? CblasUpper : CblasLower, n, r, a, x);
      return VR_OK;
    }
    auto* pivots = static_cast<int*>(pool_allocate(int64_t{n} * static_cast<int64_t>(sizeof(int)), false));
    if (!pivots) return VR_OUT_OF_MEMORY;
    // A zero pivot (info > 0) is left to the division, which gives inf and nan.
    getrf(n, a, pivots);
    getrs(n, r, a, pivots, x);
    pool_free(pivots);
    return VR_OK;
  }
  // Least squares, of the smallest norm when several do. LAPACK's iterations need finite numbers. The limit below which
  // a singular value counts as zero is that of NumPy's lstsq.
  if (!all_finite(a, int64_t{m} * n) || !all_finite(x, int64_t{ldb} * r)) {
    std::fill_n(x, int64_t{ldb} * r, T(std::numeric_limits<Real>::quiet_NaN()));
    return VR_OK;
  }
  auto* singular = static_cast<Real*>(pool_allocate(std::min(m, n) * static_cast<int64_t>(sizeof(Real)), false));
  if (!singular) return VR_OUT_OF_MEMORY;
  int rank = 0;
  const Real small = std::numeric_limits<Real>::epsilon() * static_cast<Real>(std::max(m, n));
  int info = gelsd(m, n, r, a, x, ldb, singular, small, &rank);
  pool_free(singular);
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) return VR_OUT_OF_MEMORY;
  if (info != 0) std::fill_n(x, int64_t{ldb} * r, T(std::numeric_limits<Real>::quiet_NaN()));
  return VR_OK;
}

int32_t solve_any(int32_t elem, int m, int n, int r, void* a, void* x, int ldb) {
  return visit_floating(elem, int32_t{VR_TYPE}, [&]<class T>(std::type_identity<T>) {
    return solve(m, n, r, static_cast<T*>(a), static_cast<T*>(x), ldb);
  });
}

void copy_matrix(const Matrix& m, int64_t width, char* to, int64_t row_stride, int64_t col_stride) {
  int64_t extents[] = {m.rows, m.cols}, to_strides[] = {row_stride, col_stride}, from[] = {m.row_stride, m.col_stride};
  copy_elements(2, extents, width, to, to_strides, m.data, from);
}

/// out = a \ b; with `right`, a and b are already transposed and so is the matrix written to out.
int32_t solve_system(vr_context* ctx, const vr_site* site, const Matrix& a, const Matrix& b, int32_t elem,
                     int32_t out_rank, bool right, vr_array* out, int32_t layout, int32_t where) {
  int64_t width = element_bytes(elem);
  if (a.rows > INT_MAX || a.cols > INT_MAX || b.cols > INT_MAX) {
    return fail(ctx, site, VR_SIZE, "matrix is too large for LAPACK");
  }
  int64_t extents[2] = {a.cols, b.cols};
  if (right && out_rank == 2) std::swap(extents[0], extents[1]);
  vr_array made;
  int32_t status = vr_rt_alloc(ctx, site, &made, elem, out_rank, extents, layout, VR_FILL_ZERO, where);
  if (status != VR_OK) return status;
  if (a.rows > 0 && a.cols > 0 && b.cols > 0) {
    int64_t ldb = std::max(a.rows, a.cols);
    void* factors = pool_allocate(a.rows * a.cols * width, false);
    // Zeroed, because rows after those of b are not set, and their arbitrary contents must not look like NaN.
    void* x = pool_allocate(ldb * b.cols * width, true);
    if (factors && x) {
      copy_matrix(a, width, static_cast<char*>(factors), width, a.rows * width);
      copy_matrix(b, width, static_cast<char*>(x), width, ldb * width);
      const double size = static_cast<double>(a.rows) * static_cast<double>(a.cols);
      BlasThreads threads(ctx, size * static_cast<double>(std::max(a.cols, b.cols)));
      status = solve_any(elem, static_cast<int>(a.rows), static_cast<int>(a.cols), static_cast<int>(b.cols), factors, x,
                         static_cast<int>(ldb));
      Matrix target = matrix_of(made);
      if (right && out_rank == 2) target = target.transposed();
      Matrix result{static_cast<char*>(x), a.cols, b.cols, width, ldb * width};
      copy_matrix(result, width, target.data, target.row_stride, target.col_stride);
    } else {
      status = VR_OUT_OF_MEMORY;
    }
    pool_free(factors);
    pool_free(x);
  }
  if (status != VR_OK) {
    vr_rt_release(made.owner);
    return fail(ctx, site, status, "no memory to solve a linear system");
  }
  *out = made;
  return VR_OK;
}

bool solvable_type(const vr_array& a, const vr_array& b) {
  return a.elem == b.elem && is_float_code(a.elem);
}

}  // namespace

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" {

int32_t vr_rt_solve(vr_context* ctx, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                    int32_t layout, int32_t where) {
  if (!solvable_type(*a, *b) || a->rank != 2 || b->rank > 2) {
    return fail(ctx, site, VR_TYPE, "a linear system takes a floating matrix and a vector or matrix of its type");
  }
  if (a->extent[0] != b->extent[0]) {
    return fail(ctx, site, VR_SHAPE_MISMATCH,
                "shapes " + shape_text(*a) + " and " + shape_text(*b) + " do not agree for a linear system");
  }
  return solve_system(ctx, site, matrix_of(*a), matrix_of(*b), a->elem, b->rank, false, out, layout, where);
}

int32_t vr_rt_solve_right(vr_context* ctx, const vr_site* site, const vr_array* b, const vr_array* a, vr_array* out,
                          int32_t layout, int32_t where) {
  if (!solvable_type(*a, *b) || a->rank != 2 || b->rank > 2) {
    return fail(ctx, site, VR_TYPE, "a linear system takes a floating matrix and a vector or matrix of its type");
  }
  Matrix rhs = matrix_of(*b);
  if (b->rank == 2) rhs = rhs.transposed();
  if (a->extent[1] != rhs.rows) {
    return fail(ctx, site, VR_SHAPE_MISMATCH,
                "shapes " + shape_text(*b) + " and " + shape_text(*a) + " do not agree for a division by a matrix");
  }
  return solve_system(ctx, site, matrix_of(*a).transposed(), rhs, a->elem, b->rank, true, out, layout, where);
}
}
