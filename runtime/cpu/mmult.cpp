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

/// Complex numbers of integers, for which std::complex is not specified.
template <class T>
struct IntComplex {
  T re, im;
};

template <class T>
void multiply_add(T& sum, T a, T b) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    sum = static_cast<uint8_t>(sum | ((a != 0) & (b != 0)));  // bool: and, or
  } else if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;  // integers wrap
    sum = static_cast<T>(static_cast<U>(sum) + static_cast<U>(a) * static_cast<U>(b));
  } else {
    sum += a * b;
  }
}
template <class T>
void multiply_add(std::complex<T>& sum, std::complex<T> a, std::complex<T> b) {
  // The plain formula, as in generated code; operator* looks for infinities as well.
  sum += std::complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
template <class T>
void multiply_add(IntComplex<T>& sum, IntComplex<T> a, IntComplex<T> b) {
  using U = std::make_unsigned_t<std::conditional_t<sizeof(T) == 1, int32_t, T>>;
  sum.re = static_cast<T>(U(sum.re) + U(a.re) * U(b.re) - U(a.im) * U(b.im));
  sum.im = static_cast<T>(U(sum.im) + U(a.re) * U(b.im) + U(a.im) * U(b.re));
}

/// c (row-major) += a * b, or -= a * b, the innermost loop along rows of c.
template <class T>
void multiply_loops(const Matrix& a, const Matrix& b, T* c, bool subtract = false) {
  for (int64_t i = 0; i < a.rows; ++i) {
    T* row = c + i * b.cols;
    for (int64_t p = 0; p < a.cols; ++p) {
      T factor = *reinterpret_cast<const T*>(a.data + i * a.row_stride + p * a.col_stride);
      if constexpr (requires { -factor; })
        if (subtract) factor = -factor;
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
void gemv(CBLAS_TRANSPOSE t, int m, int n, float alpha, const float* a, int lda, const float* x, int incx, float beta, float* y) { cblas_sgemv(CblasRowMajor, t, m, n, alpha, a, lda, x, incx, beta, y, 1); }
void gemv(CBLAS_TRANSPOSE t, int m, int n, double alpha, const double* a, int lda, const double* x, int incx, double beta, double* y) { cblas_dgemv(CblasRowMajor, t, m, n, alpha, a, lda, x, incx, beta, y, 1); }
void gemv(CBLAS_TRANSPOSE t, int m, int n, std::complex<float> alpha, const std::complex<float>* a, int lda, const std::complex<float>* x, int incx, std::complex<float> beta, std::complex<float>* y) { cblas_cgemv(CblasRowMajor, t, m, n, &alpha, a, lda, x, incx, &beta, y, 1); }
void gemv(CBLAS_TRANSPOSE t, int m, int n, std::complex<double> alpha, const std::complex<double>* a, int lda, const std::complex<double>* x, int incx, std::complex<double> beta, std::complex<double>* y) { cblas_zgemv(CblasRowMajor, t, m, n, &alpha, a, lda, x, incx, &beta, y, 1); }
void dot(int n, const float* x, int incx, const float* y, int incy, float* out) { *out = cblas_sdot(n, x, incx, y, incy); }
void dot(int n, const double* x, int incx, const double* y, int incy, double* out) { *out = cblas_ddot(n, x, incx, y, incy); }
void dot(int n, const std::complex<float>* x, int incx, const std::complex<float>* y, int incy, std::complex<float>* out) { cblas_cdotu_sub(n, x, incx, y, incy, out); }
void dot(int n, const std::complex<double>* x, int incx, const std::complex<double>* y, int incy, std::complex<double>* out) { cblas_zdotu_sub(n, x, incx, y, incy, out); }
// clang-format on

/// A matrix as a row-major BLAS argument: as it lies, as its transpose, or packed into a block of its own.
struct Operand {
  const void* data = nullptr;
  CBLAS_TRANSPOSE trans = CblasNoTrans;
  int ld = 1;
  Block packed;
};

/// Leading dimension of a matrix whose rows are contiguous, or 0 when there is none.
int64_t leading_dimension(int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride, int64_t width) {
  if (cols > 1 && col_stride != width) return 0;
  if (rows <= 1) return std::max<int64_t>(cols, 1);
  int64_t ld = row_stride / width;
  return row_stride % width == 0 && ld >= std::max<int64_t>(cols, 1) && ld <= INT_MAX ? ld : 0;
}

/// False when there is no memory to pack.
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

/// A vector of n elements as a BLAS argument; increments below 1 are packed away.
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

/// What becomes of the old elements of the result.
enum class Into { Empty, Add, Subtract };

/// c (row-major) = a * b, c + a * b or c - a * b. False when there is no memory.
template <class T>
bool multiply_blas(const Matrix& a, const Matrix& b, T* c, Into into) {
  const T alpha = into == Into::Subtract ? -1 : 1, beta = into == Into::Empty ? 0 : 1;
  constexpr int64_t width = sizeof(T);
  const int m = static_cast<int>(a.rows), n = static_cast<int>(b.cols), k = static_cast<int>(a.cols);
  Operand x, y;
  if (m == 1 && n == 1) {
    if (!blas_vector(a.data, k, a.col_stride, width, x) || !blas_vector(b.data, k, b.row_stride, width, y))
      return false;
    T product;
    dot(k, static_cast<const T*>(x.data), x.ld, static_cast<const T*>(y.data), y.ld, &product);
    *c = into == Into::Empty ? product : into == Into::Add ? *c + product : *c - product;
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
    gemv(x.trans, rows, cols, alpha, static_cast<const T*>(x.data), x.ld, static_cast<const T*>(y.data), y.ld, beta, c);
    return true;
  }
  if (!blas_operand(a, width, x) || !blas_operand(b, width, y)) return false;
  gemm(x.trans, y.trans, m, n, k, alpha, static_cast<const T*>(x.data), x.ld, static_cast<const T*>(y.data), y.ld, beta,
       c, n);
  return true;
}

template <class T>
bool multiply_float(const vr_context* ctx, const Matrix& a, const Matrix& b, void* c, bool by_loops, Into into) {
  if (by_loops) {
    multiply_loops(a, b, static_cast<T*>(c), into == Into::Subtract);
    return true;
  }
  BlasThreads threads(ctx, static_cast<double>(a.rows) * static_cast<double>(a.cols) * static_cast<double>(b.cols));
  return multiply_blas(a, b, static_cast<T*>(c), into);
}

/// Loops add to what is there, which is zero for an `Empty` one.
bool multiply(const vr_context* ctx, int32_t elem, const Matrix& a, const Matrix& b, void* c, bool by_loops,
              Into into = Into::Empty) {
  switch (elem) {
    case VR_BOOL:
      multiply_loops(a, b, static_cast<uint8_t*>(c));
      return true;
    case VR_INT32:
      multiply_loops(a, b, static_cast<int32_t*>(c));
      return true;
    case VR_INT64:
      multiply_loops(a, b, static_cast<int64_t*>(c));
      return true;
    case VR_BOOL | VR_COMPLEX:
      multiply_loops(a, b, static_cast<IntComplex<uint8_t>*>(c));
      return true;
    case VR_INT32 | VR_COMPLEX:
      multiply_loops(a, b, static_cast<IntComplex<int32_t>*>(c));
      return true;
    case VR_INT64 | VR_COMPLEX:
      multiply_loops(a, b, static_cast<IntComplex<int64_t>*>(c));
      return true;
    case VR_FLOAT32:
      return multiply_float<float>(ctx, a, b, c, by_loops, into);
    case VR_FLOAT64:
      return multiply_float<double>(ctx, a, b, c, by_loops, into);
    case VR_FLOAT32 | VR_COMPLEX:
      return multiply_float<std::complex<float>>(ctx, a, b, c, by_loops, into);
    case VR_FLOAT64 | VR_COMPLEX:
      return multiply_float<std::complex<double>>(ctx, a, b, c, by_loops, into);
    default:
      return true;
  }
}

bool is_float_code(int32_t elem) { return (elem & ~VR_COMPLEX) >= VR_FLOAT32; }

/// BLAS counts in int, and for a handful of multiplications its call costs more than they do.
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
  // NumPy's matmul: a vector on the left is a row, on the right a column, and its dimension is not in the result.
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

extern "C" int32_t vr_rt_add_product(vr_context* ctx, const vr_site* site, const vr_array* a, const vr_array* b,
                                     vr_array* sum, int32_t subtract) {
  const Matrix x = matrix_of(*a), y = matrix_of(*b), to = matrix_of(*sum);
  const bool row_major = sum->stride[1] == element_bytes(sum->elem) || sum->extent[1] <= 1;
  const bool fits = a->rank == 2 && b->rank == 2 && sum->rank == 2 && x.cols == y.rows && x.rows == to.rows &&
                    y.cols == to.cols && a->elem == sum->elem && b->elem == sum->elem && is_float_code(sum->elem);
  if (!fits) return fail(ctx, site, VR_TYPE, "a product that does not fit what it is added to");
  if (element_count(*sum) == 0) return VR_OK;
  const bool by_loops = wants_loops(a->elem, x, y);
  const Into into = subtract ? Into::Subtract : Into::Add;
  const bool done = row_major ? multiply(ctx, sum->elem, x, y, sum->data, by_loops, into)
                              : multiply(ctx, sum->elem, y.transposed(), x.transposed(), sum->data, by_loops, into);
  return done ? VR_OK : fail_no_memory(ctx, site, 0);
}
