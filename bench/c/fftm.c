#include <math.h>
#include <string.h>

#include "programs.h"

// Complex numbers are pairs of doubles.
void fftm(const double* restrict x, double* restrict y, int64_t n) {
  const double pi = 3.141592653589793;
  memcpy(y, x, (size_t)n * 2 * sizeof *y);
  int64_t j = 0;
  for (int64_t i = 0; i < n - 1; ++i) {
    if (i < j)
      for (int part = 0; part < 2; ++part) {
        const double t = y[2 * j + part];
        y[2 * j + part] = y[2 * i + part];
        y[2 * i + part] = t;
      }
    int64_t k = n / 2;
    for (; k <= j; k /= 2) j -= k;
    j += k;
  }
  for (int64_t half = 1; half < n; half *= 2) {
    const double turn_r = cos(pi / (double)half), turn_i = -sin(pi / (double)half);
    double wr = 1, wi = 0;
    for (int64_t m = 0; m < half; ++m) {
      for (int64_t i = m; i < n; i += 2 * half) {
        double *a = y + 2 * i, *b = y + 2 * (i + half);
        const double ur = wr * b[0] - wi * b[1], ui = wr * b[1] + wi * b[0];
        b[0] = a[0] - ur;
        b[1] = a[1] - ui;
        a[0] += ur;
        a[1] += ui;
      }
      const double next = wr * turn_r - wi * turn_i;
      wi = wr * turn_i + wi * turn_r;
      wr = next;
    }
  }
}
