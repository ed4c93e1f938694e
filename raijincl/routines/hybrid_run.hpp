// A hybrid product with given parameters, for hybrid_gemm and its tuner.
#pragma once
#include "routines/gemm_problem.hpp"

namespace raijincl {

// Computes the first `rows` rows of C on the device and the others on the CPU. Arguments are already checked. Blocks.
template <class T>
Status hybrid_run(Context::Impl&, cl_command_queue, const GemmConfig&, std::size_t m, std::size_t n, std::size_t k,
                  T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb, T beta, T* c, std::size_t ldc,
                  std::size_t rows);

}  // namespace raijincl
