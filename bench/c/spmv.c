#include "programs.h"

void spmv(const int64_t* restrict ptr, const int64_t* restrict col, const double* restrict val,
          const double* restrict x, double* restrict y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    double s = 0;
    for (int64_t k = ptr[i]; k < ptr[i + 1]; ++k) s += val[k] * x[col[k]];
    y[i] = s;
  }
}

void spmv_into(const int32_t* restrict ptr, const int32_t* restrict col, const double* restrict val,
               const double* restrict x, double* restrict y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    y[i] = 0;
    for (int32_t k = ptr[i]; k < ptr[i + 1]; ++k) y[i] += val[k] * x[col[k]];
  }
}
