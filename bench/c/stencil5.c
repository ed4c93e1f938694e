#include "programs.h"

static void sweep(const double* restrict u, double* restrict v, int64_t n, int64_t m) {
  for (int64_t i = 1; i < n - 1; ++i)
    for (int64_t j = 1; j < m - 1; ++j)
      v[i * m + j] =
          0.2 * (u[i * m + j] + u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
}

double* stencil5(double* u, double* v, int64_t n, int64_t m, int64_t sweeps) {
  for (int64_t s = 0; s < sweeps; ++s) {
    sweep(u, v, n, m);
    double* t = u;
    u = v;
    v = t;
  }
  return u;
}
