// BLAS and LAPACK with the number of threads that a context may use.
#pragma once
#include <cblas.h>

#include <complex>
#include <shared_mutex>

// LAPACKE's complex types become C++'s.
#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

#include "runtime/abi.h"

namespace vr::runtime {

/// While it lives, BLAS uses the number of threads that `ctx` allows; 1 inside a parallel loop, and if `work` (approximate
/// number of multiplications) is so small that waking threads costs as much: the threads of another BLAS in the process, such
/// as NumPy's, may occupy the other cores for a while after each of their calls. In OpenBLAS the number is global to the
/// process, so calls that need different numbers run one after another; calls with equal numbers run at the same time.
class BlasThreads {
 public:
  BlasThreads(const vr_context* ctx, double work);

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

/// A matrix anywhere in memory; strides in bytes.
struct Matrix {
  char* data;
  int64_t rows, cols;
  int64_t row_stride, col_stride;
  Matrix transposed() const { return {data, cols, rows, col_stride, row_stride}; }
};
/// An array of rank 2 as it is; an array of rank 1 as one column.
inline Matrix matrix_of(const vr_array& a) {
  if (a.rank == 1) return {static_cast<char*>(a.data), a.extent[0], 1, a.stride[0], a.stride[0]};
  return {static_cast<char*>(a.data), a.extent[0], a.extent[1], a.stride[0], a.stride[1]};
}

}  // namespace vr::runtime
