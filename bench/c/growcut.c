#include <math.h>

#include "programs.h"

int64_t growcut(const double* restrict image, const double* restrict state, double* restrict next, int64_t n, int64_t m,
                int64_t radius) {
  const double root3 = sqrt(3.0);
  int64_t changes = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j) {
      const int64_t at = i * m + j;
      double label = state[2 * at], defence = state[2 * at + 1];
      const int64_t i0 = i > radius ? i - radius : 0, i1 = i + radius + 1 < n ? i + radius + 1 : n;
      const int64_t j0 = j > radius ? j - radius : 0, j1 = j + radius + 1 < m ? j + radius + 1 : m;
      for (int64_t ii = i0; ii < i1; ++ii)
        for (int64_t jj = j0; jj < j1; ++jj) {
          if (ii == i && jj == j) continue;
          const int64_t there = ii * m + jj;
          double s = 0;
          for (int k = 0; k < 3; ++k) {
            const double d = image[3 * at + k] - image[3 * there + k];
            s += d * d;
          }
          const double attack = (1 - sqrt(s) / root3) * state[2 * there + 1];
          if (attack > defence) {
            defence = attack;
            label = state[2 * there];
            ++changes;
          }
        }
      next[2 * at] = label;
      next[2 * at + 1] = defence;
    }
  return changes;
}
