// vr_rt_mmult: products of vectors and matrices, by BLAS for floating types, by plain loops for the others.
#include <climits>
#include <complex>
#include <memory>
#include <type_traits>
#include <utility>

#include "runtime/cpu/blas.hpp"
#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"

namespace vr::runtime {

namespace {

struct PoolFree {
  void operator()(void* p) const { pool_free(p); }
};
using Block = std::unique_ptr<void, PoolFree>;

// ---------------------------------------------------------------- plain loops

/// Complex numbers with integer parts, for which std::complex is not specified.
template <class T>
struct IntComplex {
  T re, im;
};

/// A bool in memory.
struct Truth {
  uint8_t value;
};

/// The unsigned type in which integers wrap: C++ computes narrower types in int.
template <class T>
using Wrapping = std::make_unsigned_t<std::conditional_t<sizeof(T) < sizeof(int), int, T>>;

inline void multiply_add(Truth& sum, Truth a, Truth b) {
  sum.value = static_cast<uint8_t>(sum.value | ((a.value != 0) & (b.value != 0)));
}
template <class T>
void multiply_add(T& sum, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = Wrapping<T>;
    sum = static_cast<T>(static_cast<U>(sum) + static_cast<U>(a) * static_cast<U>(b));
  } else {
    sum += a * b;
  }
}
template <class T>
void multiply_add(std::complex<T>& sum, std::complex<T> a, std::complex<T> b) {
  // The plain formula, as in generated code; C++'s operator* treats infinities specially.
  sum += std::complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
template <class T>
void multiply_add(IntComplex<T>& sum, IntComplex<T> a, IntComplex<T> b) {
  using U = Wrapping<T>;
  sum.re = static_cast<T>(U(sum.re) + U(a.re) * U(b.re) - U(a.im) * U(b.im));
  sum.im = static_cast<T>(U(sum.im) + U(a.re) * U(b.im) + U(a.im) * U(b.re));
}

/// c (row-major, zeroed) += a * b, the innermost loop along rows of c.
template <class T>
void multiply_loops(const Matrix& a, const Matrix& b, T* c) {
  for (int64_t i = 0; i < a.rows; ++i) {
    T* row = c + i * b.cols;
    for (int64_t p = 0; p < a.cols; ++p) {
      T factor = *reinterpret_cast<const T*>(a.data + i * a.row_stride + p * a.col_stride);
      const char* from = b.data + p * b.row_stride;
      for (int64_t j = 0; j < b.cols; ++j) {
        multiply_add(row[j], factor, *reinterpret_cast<const T*>(from + j * b.col_stride));
      }
    }
  }
}

// ---------------------------------------------------------------- BLAS

// clang-format off
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) { cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); }
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha, const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc) { cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); }
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, std::complex<float> alpha, const std::complex<float>* a, int lda, const std::complex<float>* b, int ldb, std::complex<float> beta, std::complex<float>* c, int ldc) { cblas_cgemm(CblasRowMajor, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc); }
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, std::complex<double> alpha, const std::complex<double>* a, int lda, const std::complex<double>* b, int ldb, std::complex<double> beta, std::complex<double>* c, int ldc) { cblas_zgemm(CblasRowMajor, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc); }
void gemv(CBLAS_TRANSPOSE t, int m, int n, const float* a, int lda, const float* x, int incx, float* y) { cblas_sgemv(CblasRowMajor, t, m, n, 1, a, lda, x, incx, 0, y, 1); }
void gemv(CBLAS_TRANSPOSE t, int m, int n, const double* a, int lda, const double* x, int incx, double* y) { cblas_dgemv(CblasRowMajor, t, m, n, 1, a, lda, x, incx, 0, y, 1); }
void gemv(CBLAS_TRANSPOSE t, int m, int n, const std::complex<float>* a, int lda, const std::complex<float>* x, int incx, std::complex<float>* y) {
  const std::complex<float> one(1), zero(0);
  cblas_cgemv(CblasRowMajor, t, m, n, &one, a, lda, x, incx, &zero, y, 1);
}
void gemv(CBLAS_TRANSPOSE t, int m, int n, const std::complex<double>* a, int lda, const std::complex<double>* x, int incx, std::complex<double>* y) {
  const std::complex<double> one(1), zero(0);
  cblas_zgemv(CblasRowMajor, t, m, n, &one, a, lda, x, incx, &zero, y, 1);
}
void dot(int n, const float* x, int incx, const float* y, int incy, float* out) { *out = cblas_sdot(n, x, incx, y, incy); }
void dot(int n, const double* x, int incx, const double* y, int incy, double* out) { *out = cblas_ddot(n, x, incx, y, incy); }
void dot(int n, const std::complex<float>* x, int incx, const std::complex<float>* y, int incy, std::complex<float>* out) { cblas_cdotu_sub(n, x, incx, y, incy, out); }
void dot(int n, const std::complex<double>* x, int incx, const std::complex<double>* y, int incy, std::complex<double>* out) { cblas_zdotu_sub(n, x, incx, y, incy, out); }
// clang-format on

/// A matrix as a row-major BLAS argument: in place, as its transpose, or packed into a block of its own.
struct Operand {
  const void* data = nullptr;
  CBLAS_TRANSPOSE trans = CblasNoTrans;
  int ld = 1;
  Block packed;
};

/// The leading dimension of a matrix whose rows are contiguous, or 0 if there is none.
int64_t leading_dimension(int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride, int64_t width) {
  if (cols > 1 && col_stride != width) return 0;
  if (rows <= 1) return std::max<int64_t>(cols, 1);
  int64_t ld = row_stride / width;
  return row_stride % width == 0 && ld >= std::max<int64_t>(cols, 1) && ld <= INT_MAX ? ld : 0;
}

/// Returns false if there is no memory to pack the matrix.
bool blas_operand(const Matrix& m, int64_t width, Operand& out) {
  out.data = m.data;
  if (int64_t ld = leading_dimension(m.rows, m.cols, m.row_stride, m.col_stride, width)) {
    out.ld = static_cast<int>(ld);
    return true;
  }
  if (int64_t ld = leading_dimension(m.cols, m.rows, m.col_stride, m.row_stride, width)) {
    out.trans = CblasTrans;
    out.ld = static_cast<int>(ld);
    return true;
  }
  out.packed.reset(pool_allocate(m.rows * m.cols * width, false));
  if (!out.packed) return false;
  int64_t extents[] = {m.rows, m.cols}, to[] = {m.cols * width, width}, from[] = {m.row_stride, m.col_stride};
  copy_elements(2, extents, width, static_cast<char*>(out.packed.get()), to, m.data, from);
  out.data = out.packed.get();
  out.ld = static_cast<int>(std::max<int64_t>(m.cols, 1));
  return true;
}

/// A vector of n elements as a BLAS argument; vectors with increments below 1 are packed.
bool blas_vector(char* data, int64_t n, int64_t stride, int64_t width, Operand& out) {
  out.data = data;
  if (n <= 1) return true;
  if (stride > 0 && stride % width == 0 && stride / width <= INT_MAX) {
    out.ld = static_cast<int>(stride / width);
    return true;
  }
  out.packed.reset(pool_allocate(n * width, false));
  if (!out.packed) return false;
  copy_elements(1, &n, width, static_cast<char*>(out.packed.get()), &width, data, &stride);
  out.data = out.packed.get();
  return true;
}

/// c (row-major) = a * b. False when there is no memory.
template <class T>
bool multiply_blas(const Matrix& a, const Matrix& b, T* c) {
  constexpr int64_t width = sizeof(T);
  const int m = static_cast<int>(a.rows), n = static_cast<int>(b.cols), k = static_cast<int>(a.cols);
  Operand x, y;
  if (m == 1 && n == 1) {
    if (!blas_vector(a.data, k, a.col_stride, width, x) || !blas_vector(b.data, k, b.row_stride, width, y))
      return false;
    dot(k, static_cast<const T*>(x.data), x.ld, static_cast<const T*>(y.data), y.ld, c);
    return true;
  }
  if (m == 1 || n == 1) {
    // A row times a matrix is the transposed matrix times that row.
    const Matrix mat = m == 1 ? b.transposed() : a;
    char* data = m == 1 ? a.data : b.data;
    int64_t stride = m == 1 ? a.col_stride : b.row_stride;
    if (!blas_operand(mat, width, x) || !blas_vector(data, k, stride, width, y)) return false;
    bool flipped = x.trans == CblasTrans;
    int rows = static_cast<int>(flipped ? mat.cols : mat.rows), cols = static_cast<int>(flipped ? mat.rows : mat.cols);
    gemv(x.trans, rows, cols, static_cast<const T*>(x.data), x.ld, static_cast<const T*>(y.data), y.ld, c);
    return true;
  }
  if (!blas_operand(a, width, x) || !blas_operand(b, width, y)) return false;
  gemm(x.trans, y.trans, m, n, k, T(1), static_cast<const T*>(x.data), x.ld, static_cast<const T*>(y.data), y.ld, T(0),
       c, n);
  return true;
}

/// c = alpha * a * b + beta * c, where rows of c are contiguous and begin `ld` elements apart. False when there is no
/// memory.
template <class T>
bool multiply_into(const vr_context* ctx, const Matrix& a, const Matrix& b, T alpha, T beta, T* c, int64_t ld,
                   bool by_loops) {
  if (by_loops) {
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t j = 0; j < b.cols; ++j) {
        T sum = 0;
        for (int64_t p = 0; p < a.cols; ++p)
          multiply_add(sum, *reinterpret_cast<const T*>(a.data + i * a.row_stride + p * a.col_stride),
                       *reinterpret_cast<const T*>(b.data + p * b.row_stride + j * b.col_stride));
        T& to = c[i * ld + j];
        to = beta == T(0) ? alpha * sum : to + alpha * sum;
      }
    return true;
  }
  Operand x, y;
  if (!blas_operand(a, sizeof(T), x) || !blas_operand(b, sizeof(T), y)) return false;
  BlasThreads threads(ctx, static_cast<double>(a.rows) * static_cast<double>(a.cols) * static_cast<double>(b.cols));
  gemm(x.trans, y.trans, static_cast<int>(a.rows), static_cast<int>(b.cols), static_cast<int>(a.cols), alpha,
       static_cast<const T*>(x.data), x.ld, static_cast<const T*>(y.data), y.ld, beta, c, static_cast<int>(ld));
  return true;
}

template <class T>
bool multiply_float(const vr_context* ctx, const Matrix& a, const Matrix& b, void* c, bool zeroed) {
  if (zeroed) {
    multiply_loops(a, b, static_cast<T*>(c));
    return true;
  }
  BlasThreads threads(ctx, static_cast<double>(a.rows) * static_cast<double>(a.cols) * static_cast<double>(b.cols));
  return multiply_blas(a, b, static_cast<T*>(c));
}

bool multiply(const vr_context* ctx, int32_t elem, const Matrix& a, const Matrix& b, void* c, bool by_loops) {
  return ir::visit_computed_elem(real_part(elem), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (tag.kind == ir::ElemKind::Floating) {
      return elem & VR_COMPLEX ? multiply_float<std::complex<T>>(ctx, a, b, c, by_loops)
                               : multiply_float<T>(ctx, a, b, c, by_loops);
    } else {
      if (elem & VR_COMPLEX)
        multiply_loops(a, b, static_cast<IntComplex<T>*>(c));
      else if constexpr (tag.kind == ir::ElemKind::Logical)
        multiply_loops(a, b, static_cast<Truth*>(c));
      else
        multiply_loops(a, b, static_cast<T*>(c));
      return true;
    }
  });
}

/// BLAS counts in int, and a call costs more than a few multiplications do.
bool wants_loops(int32_t elem, const Matrix& a, const Matrix& b) {
  if (!is_float_code(elem)) return true;
  if (a.rows > INT_MAX || a.cols > INT_MAX || b.cols > INT_MAX || a.cols == 0) return true;
  return a.rows <= 4 && a.cols <= 4 && b.cols <= 4;
}

}  // namespace

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" int32_t vr_rt_mmult(vr_context* ctx, const vr_site* site, const vr_array* a, const vr_array* b,
                               vr_array* out, int32_t layout, int32_t where) {
  if (a->elem != b->elem || a->rank > 2 || b->rank > 2 || element_bytes(a->elem) == 0) {
    return fail(ctx, site, VR_TYPE, "a matrix product takes two vectors or matrices of one element type");
  }
  // NumPy's matmul: a vector on the left is a row, a vector on the right a column, and its dimension is missing in the
  // result.
  Matrix x = matrix_of(*a), y = matrix_of(*b);
  if (a->rank == 1) x = x.transposed();
  int32_t rank = 0;
  int64_t extents[2] = {1, 1};
  const bool fits = x.cols == y.rows;
  const bool scales = !fits && a->rank == 2 && b->rank == 2 && (element_count(*a) == 1 || element_count(*b) == 1);
  if (scales && element_count(*a) != 1) std::swap(x, y);
  if (!fits && !scales) {
    return fail(ctx, site, VR_SHAPE_MISMATCH,
                "shapes " + shape_text(*a) + " and " + shape_text(*b) + " do not agree for a matrix product");
  }
  if (scales) {
    extents[0] = y.rows;
    extents[1] = y.cols;
    rank = 2;
  } else {
    if (a->rank == 2) extents[rank++] = x.rows;
    if (b->rank == 2) extents[rank++] = y.cols;
    if (rank == 0) rank = 1;
  }

  bool by_loops = scales || wants_loops(a->elem, x, y);
  int32_t elem = a->elem;
  vr_array made;
  int32_t status =
      vr_rt_alloc(ctx, site, &made, elem, rank, extents, layout, by_loops ? VR_FILL_ZERO : VR_FILL_NONE, where);
  if (status != VR_OK) return status;
  bool done = true;
  if (element_count(made) == 0) {
  } else if (scales) {
    // Element by element in the order of the result: each row of it is the 1x1 matrix times a row.
    if (layout == VR_COLMAJOR) y = y.transposed();
    int64_t row_bytes = y.cols * element_bytes(elem);
    for (int64_t i = 0; i < y.rows; ++i) {
      Matrix row{y.data + i * y.row_stride, 1, y.cols, y.row_stride, y.col_stride};
      multiply(ctx, elem, x, row, static_cast<char*>(made.data) + i * row_bytes, true);
    }
  } else if (layout == VR_COLMAJOR) {
    // A column-major result is the row-major result of the transposed problem.
    done = multiply(ctx, elem, y.transposed(), x.transposed(), made.data, by_loops);
  } else {
    done = multiply(ctx, elem, x, y, made.data, by_loops);
  }
  if (!done) {
    vr_rt_release(made.owner);
    return fail_no_memory(ctx, site, 0);
  }
  *out = made;
  return VR_OK;
}

extern "C" int32_t vr_rt_gemm(vr_context* ctx, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* c,
                              int32_t into) {
  Matrix x = matrix_of(*a), y = matrix_of(*b), to = matrix_of(*c);
  if (a->rank != 2 || b->rank != 2 || c->rank != 2 || x.cols != y.rows || x.rows != to.rows || y.cols != to.cols ||
      a->elem != c->elem || b->elem != c->elem || !is_float_code(c->elem))
    return fail(ctx, site, VR_TYPE,
                "the shape of a matrix product differs from that of the array to which it is added");
  if (element_count(*c) == 0) return VR_OK;
  const int64_t width = element_bytes(c->elem);
  int64_t ld = leading_dimension(to.rows, to.cols, to.row_stride, to.col_stride, width);
  if (ld == 0) {
    ld = leading_dimension(to.cols, to.rows, to.col_stride, to.row_stride, width);
    std::swap(x, y);
    x = x.transposed();
    y = y.transposed();
  }
  if (ld == 0)
    return fail(ctx, site, VR_TYPE, "a matrix product is stored to an array whose rows and columns are both strided");
  const bool by_loops = wants_loops(c->elem, x, y);
  const double alpha = into == VR_INTO_NEGATED || into == VR_INTO_SUBTRACT ? -1 : 1;
  const double beta = into == VR_INTO_ADD || into == VR_INTO_SUBTRACT ? 1 : 0;
  const bool done = visit_floating(c->elem, true, [&]<class T>(std::type_identity<T>) {
    using Real = decltype(std::abs(T()));
    return multiply_into<T>(ctx, x, y, T(static_cast<Real>(alpha)), T(static_cast<Real>(beta)),
                            static_cast<T*>(c->data), ld, by_loops);
  });
  return done ? VR_OK : fail_no_memory(ctx, site, 0);
}
