#include "programs.h"

void matvec(const double* restrict a, const double* restrict x, double* restrict y, int64_t n, int64_t m) {
  for (int64_t i = 0; i < n; ++i) {
    double s = 0;
    for (int64_t j = 0; j < m; ++j) s += a[i * m + j] * x[j];
    y[i] = s;
  }
}
