#include <math.h>
#include <string.h>

#include "peers.h"

#define AT(i, j) U[((i) - 1) + (size_t)((j) - 1) * (size_t)n]

void c_fiff(double a, double b, double c, int n, int m, double* U) {
  const double pi = 3.14159265358979323846;
  double h = a / (n - 1), k = b / (m - 1), r = c * k / h, r2 = r * r, s2 = 2 - 2 * r2;
  memset(U, 0, (size_t)n * (size_t)m * sizeof *U);
  for (int i = 2; i <= n - 1; ++i) {
    AT(i, 1) = sin(pi * h * (i - 1)) + sin(2 * pi * h * (i - 1));
    AT(i, 2) = (1 - r2) * (sin(pi * h * (i - 1)) + sin(2 * pi * h * (i - 1))) +
               r2 / 2 * (sin(pi * h * i) + sin(2 * pi * h * i) + sin(pi * h * (i - 2)) + sin(2 * pi * h * (i - 2)));
  }
  for (int j = 3; j <= m; ++j)
    for (int i = 2; i <= n - 1; ++i)
      AT(i, j) = s2 * AT(i, j - 1) + r2 * (AT(i - 1, j - 1) + AT(i + 1, j - 1)) - AT(i, j - 2);
}
