#include <tgmath.h>

#include "programs.h"

void NAME(nbody)(const REAL* restrict p, const REAL* restrict m, REAL* restrict f, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const REAL x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
    REAL ax = 0, ay = 0, az = 0;
    for (int64_t j = 0; j < n; ++j) {
      const REAL dx = p[3 * j] - x, dy = p[3 * j + 1] - y, dz = p[3 * j + 2] - z;
      const REAL r2 = dx * dx + dy * dy + dz * dz + (REAL)0.01;
      const REAL w = m[j] / (r2 * sqrt(r2));
      ax += w * dx;
      ay += w * dy;
      az += w * dz;
    }
    f[3 * i] = ax;
    f[3 * i + 1] = ay;
    f[3 * i + 2] = az;
  }
}
