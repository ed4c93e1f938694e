#include "programs.h"

static int32_t kernel(double zr, double zi, double cr, double ci, double limit, int32_t cutoff) {
  int32_t count = 0;
  while (zr * zr + zi * zi < limit * limit && count < cutoff) {
    const double t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++count;
  }
  return count;
}

void julia(double cr, double ci, int64_t n, double bound, double limit, int32_t cutoff, double* restrict grid,
           int32_t* restrict out) {
  const double step = 2 * bound / (double)(n - 1);
  for (int64_t i = 0; i < n; ++i) grid[i] = -bound + (double)i * step;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) out[i * n + j] = kernel(grid[i], grid[j], cr, ci, limit, cutoff);
}
