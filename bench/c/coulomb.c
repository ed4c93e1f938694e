#include <tgmath.h>

#include "programs.h"

void NAME(coulomb)(const REAL* restrict atoms, REAL* restrict grid, REAL h, REAL z, int64_t count, int64_t n,
                   int64_t m) {
  for (int64_t i = 0; i < n; ++i) {
    const REAL y = h * (REAL)i;
    for (int64_t j = 0; j < m; ++j) {
      const REAL x = h * (REAL)j;
      REAL e = 0;
      for (int64_t a = 0; a < count; ++a) {
        const REAL dx = x - atoms[4 * a], dy = y - atoms[4 * a + 1], dz = z - atoms[4 * a + 2];
        e += atoms[4 * a + 3] / sqrt(dx * dx + dy * dy + dz * dz);
      }
      grid[i * m + j] = e;
    }
  }
}
