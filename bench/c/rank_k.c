#include "programs.h"

void NAME(rank_k)(const REAL* restrict a, REAL* restrict c, int64_t n, int64_t l) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      REAL s = 0;
      for (int64_t k = 0; k < l; ++k) s += a[i * l + k] * a[j * l + k];
      c[i * n + j] += s;
    }
}
