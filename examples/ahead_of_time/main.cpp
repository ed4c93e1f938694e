// Heat on a plate of 200 x 300 points, as main.c, with the header for C++.
#include "heat.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  constexpr int rows = 200, cols = 300;
  std::vector<double> plate(rows * cols);
  for (int i = 0; i < rows; ++i) plate[i * cols] = 100;  // the left edge is hot
  try {
    const auto later = vrir::heat({plate.data(), {rows, cols}}, 500, 0.2);
    const double sum = std::accumulate(later.data(), later.data() + later.size(), 0.0);
    std::printf("mean temperature after 500 steps: %.4f\n", sum / (rows * cols));
  } catch (const vr::built::fault& f) {
    std::fprintf(stderr, "%s\n", f.what());
    return 1;
  }
}
