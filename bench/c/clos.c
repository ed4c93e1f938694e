#include <cblas.h>
#include <string.h>

#include "programs.h"

// b is the result; both buffers are n x n.
void clos(const double* restrict a, double* restrict b, double* restrict work, int64_t n) {
  const int m = (int)n;
  memcpy(b, a, (size_t)(n * n) * sizeof *b);
  for (int64_t k = 1; k < n; k *= 2) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1.0, b, m, b, m, 0.0, work, m);
    for (int64_t i = 0; i < n * n; ++i) b[i] = work[i] + b[i] > 0;
  }
}
