#include "programs.h"

void matmul_ikj(const double* restrict a, const double* restrict b, double* restrict c, int64_t n, int64_t l,
                int64_t m) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < m; ++j) c[i * m + j] = 0;
    for (int64_t k = 0; k < l; ++k) {
      const double f = a[i * l + k];
      for (int64_t j = 0; j < m; ++j) c[i * m + j] += f * b[k * m + j];
    }
  }
}
