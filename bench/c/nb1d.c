#include <math.h>

#include "programs.h"

// The force on body k is computed in one loop over all bodies; f has room for 3 n numbers.
void nb1d(double* restrict rx, double* restrict ry, double* restrict rz, double* restrict vx, double* restrict vy,
          double* restrict vz, const double* restrict m, double* restrict f, double dt, int64_t n, int64_t steps) {
  for (int64_t t = 0; t < steps; ++t) {
    for (int64_t k = 0; k < n; ++k) {
      double fx = 0, fy = 0, fz = 0;
      for (int64_t j = 0; j < n; ++j) {
        const double dx = rx[j] - rx[k], dy = ry[j] - ry[k], dz = rz[j] - rz[k];
        const double r2 = j == k ? 1 : dx * dx + dy * dy + dz * dz;
        const double w = m[j] * m[k] / (r2 * sqrt(r2));
        fx += w * dx;
        fy += w * dy;
        fz += w * dz;
      }
      f[k] = fx;
      f[n + k] = fy;
      f[2 * n + k] = fz;
    }
    for (int64_t k = 0; k < n; ++k) {
      vx[k] += dt * (f[k] / m[k]);
      vy[k] += dt * (f[n + k] / m[k]);
      vz[k] += dt * (f[2 * n + k] / m[k]);
      rx[k] += dt * vx[k];
      ry[k] += dt * vy[k];
      rz[k] += dt * vz[k];
    }
  }
}
