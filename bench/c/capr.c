#include <math.h>
#include <stdlib.h>

#include "peers.h"

#define AT(x, i, j) x[((i) - 1) + (size_t)((j) - 1) * ld]

static void seidel(double* restrict f, const double* restrict w, int n, int m, size_t ld) {
  for (int i = 2; i <= n; ++i)
    for (int j = 2; j <= m; ++j)
      AT(f, i, j) +=
          AT(w, i, j) * (0.25 * (AT(f, i - 1, j) + AT(f, i + 1, j) + AT(f, i, j - 1) + AT(f, i, j + 1)) - AT(f, i, j));
  for (int j = 2; j <= m; ++j)
    AT(f, 1, j) += AT(w, 1, j) * (0.25 * (AT(f, 2, j) + AT(f, 2, j) + AT(f, 1, j - 1) + AT(f, 1, j + 1)) - AT(f, 1, j));
  for (int i = 2; i <= n; ++i)
    AT(f, i, 1) += AT(w, i, 1) * (0.25 * (AT(f, i - 1, 1) + AT(f, i + 1, 1) + AT(f, i, 2) + AT(f, i, 2)) - AT(f, i, 1));
}

static double gauss(const double* f, int n, int m, size_t ld) {
  double q = 0;
  for (int i = 1; i <= n; ++i) q += (AT(f, i, m) + AT(f, i + 1, m)) * 0.5;
  for (int j = 1; j <= m; ++j) q += (AT(f, n, j) + AT(f, n, j + 1)) * 0.5;
  return q * 4 * 8.854187;
}

int c_capr_columns(double c, double d, int n) { return (int)floor(0.5 * d / (0.5 * c / n) + 0.5) + 1; }

double c_capr_in(double a, double b, double c, double d, int n, double tol, double rel, int maxiter, double* f,
                 double* w) {
  double h = 0.5 * c / n;
  int na = (int)floor(0.5 * a / h + 0.5), m = c_capr_columns(c, d, n) - 1, mb = (int)floor(0.5 * b / h + 0.5);
  size_t ld = (size_t)n + 1, count = ld * (size_t)(m + 1);
  for (size_t k = 0; k < count; ++k) {
    f[k] = 0;
    w[k] = rel;
  }
  for (int j = 1; j <= mb + 1; ++j)
    for (int i = 1; i <= na + 1; ++i) {
      AT(f, i, j) = 1;
      AT(w, i, j) = 0;
    }
  double cap = 0, old = 0;
  for (int it = 1; it <= maxiter; ++it) {
    seidel(f, w, n, m, ld);
    cap = gauss(f, n, m, ld);
    if (fabs(cap - old) / cap < tol) break;
    old = cap;
  }
  return cap;
}

double c_capr(double a, double b, double c, double d, int n, double tol, double rel, int maxiter, double** out,
              int* columns) {
  *columns = c_capr_columns(c, d, n);
  size_t bytes = ((size_t)n + 1) * (size_t)*columns * sizeof(double);
  double* w = malloc(bytes);
  *out = malloc(bytes);
  double cap = c_capr_in(a, b, c, d, n, tol, rel, maxiter, *out, w);
  free(w);
  return cap;
}
