#include <math.h>

#include "programs.h"

void pairwise(const double* restrict x, double* restrict d, int64_t n, int64_t l) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double s = 0;
      for (int64_t k = 0; k < l; ++k) {
        const double t = x[i * l + k] - x[j * l + k];
        s += t * t;
      }
      d[i * n + j] = sqrt(s);
    }
}
