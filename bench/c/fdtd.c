#include "programs.h"

// An array of n0 x n1 x n2 elements has strides n1*n2, n2, 1.
void fdtd(double* restrict ex, double* restrict ey, double* restrict ez, double* restrict hx, double* restrict hy,
          double* restrict hz, int64_t nx, int64_t ny, int64_t nz, double dt, double h, int64_t steps) {
  const double k = dt / h;
#define EX(i, j, l) ex[((i) * (ny + 1) + (j)) * (nz + 1) + (l)]
#define EY(i, j, l) ey[((i) * ny + (j)) * (nz + 1) + (l)]
#define EZ(i, j, l) ez[((i) * (ny + 1) + (j)) * nz + (l)]
#define HX(i, j, l) hx[((i) * ny + (j)) * nz + (l)]
#define HY(i, j, l) hy[((i) * (ny + 1) + (j)) * nz + (l)]
#define HZ(i, j, l) hz[((i) * ny + (j)) * (nz + 1) + (l)]
#define EACH(i0, i1, j0, j1, l0, l1)      \
  for (int64_t i = (i0); i < (i1); ++i)   \
    for (int64_t j = (j0); j < (j1); ++j) \
      for (int64_t l = (l0); l < (l1); ++l)
  for (int64_t t = 0; t < steps; ++t) {
    EACH(0, nx + 1, 0, ny, 0, nz)
    HX(i, j, l) += k * ((EY(i, j, l + 1) - EY(i, j, l)) - (EZ(i, j + 1, l) - EZ(i, j, l)));
    EACH(0, nx, 0, ny + 1, 0, nz)
    HY(i, j, l) += k * ((EZ(i + 1, j, l) - EZ(i, j, l)) - (EX(i, j, l + 1) - EX(i, j, l)));
    EACH(0, nx, 0, ny, 0, nz + 1)
    HZ(i, j, l) += k * ((EX(i, j + 1, l) - EX(i, j, l)) - (EY(i + 1, j, l) - EY(i, j, l)));
    EACH(0, nx, 1, ny, 1, nz) EX(i, j, l) += k * ((HZ(i, j, l) - HZ(i, j - 1, l)) - (HY(i, j, l) - HY(i, j, l - 1)));
    EACH(1, nx, 0, ny, 1, nz) EY(i, j, l) += k * ((HX(i, j, l) - HX(i, j, l - 1)) - (HZ(i, j, l) - HZ(i - 1, j, l)));
    EACH(1, nx, 1, ny, 0, nz) EZ(i, j, l) += k * ((HY(i, j, l) - HY(i - 1, j, l)) - (HX(i, j, l) - HX(i, j - 1, l)));
  }
}
