#include "programs.h"

double sum(const double* a, int64_t n) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i) s += a[i];
  return s;
}

double min(const double* a, int64_t n) {
  double s = a[0];
  for (int64_t i = 1; i < n; ++i)
    if (a[i] < s) s = a[i];
  return s;
}

double prod(const double* a, int64_t n) {
  double s = 1;
  for (int64_t i = 0; i < n; ++i) s *= a[i];
  return s;
}
