#include <math.h>

#include "programs.h"

int64_t pagerank(const int32_t* restrict links, double* restrict rank, const int64_t* restrict out_links,
                 double* restrict maps, int64_t n, double damping, double threshold, int64_t limit) {
  double change = 1;
  int64_t t = 0;
  for (; t < limit && change >= threshold; ++t) {
    for (int64_t i = 0; i < n; ++i) {
      const double share = rank[i] / (double)out_links[i];
      for (int64_t j = 0; j < n; ++j) maps[i * n + j] = links[i * n + j] * share;
    }
    change = 0;
    for (int64_t j = 0; j < n; ++j) {
      const double old = rank[j];
      double new = 0;
      for (int64_t i = 0; i < n; ++i) new += maps[i * n + j];
      new = (1 - damping) / (double)n + damping* new;
      rank[j] = new;
      if (fabs(new - old) > change) change = fabs(new - old);
    }
  }
  return t;
}
