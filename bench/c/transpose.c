#include "programs.h"

void transpose(const double* restrict a, double* restrict b, int64_t n, int64_t m) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j) b[j * n + i] = a[i * m + j];
}
