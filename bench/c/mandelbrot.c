#include "programs.h"

void mandelbrot(double x0, double x1, double y0, double y1, int64_t limit, int32_t* restrict out, int64_t n,
                int64_t m) {
  const double dx = (x1 - x0) / (double)m, dy = (y1 - y0) / (double)n;
  for (int64_t i = 0; i < n; ++i) {
    const double ci = y0 + (double)i * dy;
    for (int64_t j = 0; j < m; ++j) {
      const double cr = x0 + (double)j * dx;
      double zr = 0, zi = 0;
      int32_t k = 0;
      while (k < limit) {
        const double r = zr * zr, s = zi * zi;
        if (r + s > 4) break;
        zi = 2 * zr * zi + ci;
        zr = r - s + cr;
        ++k;
      }
      out[i * m + j] = k;
    }
  }
}
