#include <math.h>

#include "programs.h"

static const double pi = 3.141592653589793;

// Complex numbers are pairs of doubles. The halves of the result are the transforms of the even and the odd elements.
static void transform(const double* x, int64_t stride, int64_t n, double* restrict y) {
  if (n == 1) {
    y[0] = x[0];
    y[1] = x[1];
    return;
  }
  const int64_t h = n / 2;
  transform(x, 2 * stride, h, y);
  transform(x + 2 * stride, 2 * stride, h, y + 2 * h);
  for (int64_t k = 0; k < h; ++k) {
    const double angle = -2 * pi * (double)k / (double)n, wr = cos(angle), wi = sin(angle);
    double *e = y + 2 * k, *o = y + 2 * (k + h);
    const double tr = wr * o[0] - wi * o[1], ti = wr * o[1] + wi * o[0], er = e[0], ei = e[1];
    e[0] = er + tr;
    e[1] = ei + ti;
    o[0] = er - tr;
    o[1] = ei - ti;
  }
}

void fft(const double* x, double* y, int64_t n) { transform(x, 1, n, y); }
