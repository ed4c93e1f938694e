// BLAS and LAPACK under the number of threads that a context may use.
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

/// Holds BLAS at the number of threads that `ctx` allows; at 1 inside a parallel loop, and where `work`
/// (multiplications, about) is so little that waking threads costs as much: those of another BLAS in the process, such
/// as NumPy's, may hold the other cores for a while after each of their calls. The number is one for the whole process
/// in OpenBLAS, so calls that want different ones take turns; calls that agree run at once.
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
/// Rank 2 as it is; rank 1 as one column.
inline Matrix matrix_of(const vr_array& a) {
  if (a.rank == 1) return {static_cast<char*>(a.data), a.extent[0], 1, a.stride[0], a.stride[0]};
  return {static_cast<char*>(a.data), a.extent[0], a.extent[1], a.stride[0], a.stride[1]};
}

}  // namespace vr::runtime
