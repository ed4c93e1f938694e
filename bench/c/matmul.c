#include "programs.h"

void NAME(matmul)(const REAL* restrict a, const REAL* restrict b, REAL* restrict c, int64_t n, int64_t l, int64_t m) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j) {
      REAL s = 0;
      for (int64_t k = 0; k < l; ++k) s += a[i * l + k] * b[k * m + j];
      c[i * m + j] = s;
    }
}
