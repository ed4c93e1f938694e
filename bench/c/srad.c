#include "programs.h"

void srad(double* restrict img, double* restrict c, double* restrict dn, double* restrict ds, double* restrict dw,
          double* restrict de, const int64_t* restrict north, const int64_t* restrict south,
          const int64_t* restrict west, const int64_t* restrict east, int64_t n, int64_t m, double rate,
          int64_t sweeps) {
  for (int64_t sweep = 0; sweep < sweeps; ++sweep) {
    double total = 0, squares = 0;
    for (int64_t k = 0; k < n * m; ++k) {
      total += img[k];
      squares += img[k] * img[k];
    }
    const double mean = total / (double)(n * m), variance = squares / (double)(n * m) - mean * mean,
                 q0 = variance / (mean * mean);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < m; ++j) {
        const int64_t at = i * m + j;
        const double here = img[at];
        const double a = img[north[i] * m + j] - here, b = img[south[i] * m + j] - here;
        const double d = img[i * m + west[j]] - here, e = img[i * m + east[j]] - here;
        dn[at] = a;
        ds[at] = b;
        dw[at] = d;
        de[at] = e;
        const double g2 = (a * a + b * b + d * d + e * e) / (here * here), l = (a + b + d + e) / here;
        const double num = 0.5 * g2 - 0.0625 * (l * l);
        double den = 1 + 0.25 * l;
        const double q = num / (den * den);
        den = (q - q0) / (q0 * (1 + q0));
        double w = 1 / (1 + den);
        if (w < 0)
          w = 0;
        else if (w > 1)
          w = 1;
        c[at] = w;
      }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < m; ++j) {
        const int64_t at = i * m + j;
        const double cs = c[south[i] * m + j], ce = c[i * m + east[j]];
        img[at] += 0.25 * rate * (c[at] * dn[at] + cs * ds[at] + c[at] * dw[at] + ce * de[at]);
      }
  }
}
