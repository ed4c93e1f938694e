#include <tgmath.h>

#include "programs.h"

#define C(x) ((REAL)(x))

static REAL normal(REAL d) {
  const REAL k = 1 / (1 + C(0.2316419) * fabs(d));
  const REAL w =
      C(0.3989422804014327) * exp(C(-0.5) * d * d) *
      (k * (C(0.31938153) + k * (C(-0.356563782) + k * (C(1.781477937) + k * (C(-1.821255978) + k * C(1.330274429))))));
  return d > 0 ? 1 - w : w;
}

void NAME(black_scholes)(const REAL* restrict price, const REAL* restrict strike, const REAL* restrict years, REAL rate,
                         REAL volatility, REAL* restrict call, REAL* restrict put, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const REAL s = price[i], x = strike[i], t = years[i], root = sqrt(t);
    const REAL d1 = (log(s / x) + (rate + C(0.5) * volatility * volatility) * t) / (volatility * root);
    const REAL d2 = d1 - volatility * root, n1 = normal(d1), n2 = normal(d2), discount = exp(-rate * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1 - n2) - s * (1 - n1);
  }
}
