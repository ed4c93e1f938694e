// Products shared between the CPU and an OpenCL device (thesis 8.8): the rows of C are divided into parts; the device computes
// some of them and a CPU BLAS the rest. Useful if both have similar speed; otherwise the profile assigns all parts to one of
// them.
#pragma once
#include <complex>

#include "raijincl/context.hpp"

namespace raijincl {

// Whether this build has a CPU BLAS.
bool has_cpu_blas();

// C = alpha A B + beta C of row-major host matrices (leading dimensions in elements; all on the host). Returns when C
// is complete: unlike all other calls this one blocks, because the CPU's part runs on the calling thread; `queue` is
// flushed before that part starts. The device computes `gpu_parts` of `parts`; parts = 0 uses the split of the profile
// (all on the device if none was tuned or this build has no BLAS). The host's memory is used in place if the device
// shares it. Errors: as gemm; Unsupported: rows for the CPU without a CPU BLAS; InvalidDimension: gpu_parts > parts.
template <class T>
Status hybrid_gemm(Context&, cl_command_queue queue, std::size_t m, std::size_t n, std::size_t k, T alpha, const T* a,
                   std::size_t lda, const T* b, std::size_t ldb, T beta, T* c, std::size_t ldc,
                   std::size_t gpu_parts = 0, std::size_t parts = 0);

}  // namespace raijincl
