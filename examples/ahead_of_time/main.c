/* Heat on a plate of 200 x 300 points: steps of the stencil that `vrir build` compiled from heat.vrir. */
#include <stdio.h>

#include "heat.h"

enum { rows = 200, cols = 300 };
static double plate[rows][cols];

int main(void) {
  const int64_t extents[2] = {rows, cols};
  vr_array hot, later = {0};
  vr_error error;
  double sum = 0;
  int i, j;

  for (i = 0; i < rows; ++i) plate[i][0] = 100;  /* the left edge is hot */
  if (vr_aot_describe(&hot, plate, VR_FLOAT64, 2, extents, 0) != VR_OK) return 1;
  if (heat(&hot, 500, 0.2, &later, &error) != VR_OK) {
    fprintf(stderr, "%s: %s\n", error.loc, error.message);
    return 1;
  }
  for (i = 0; i < rows; ++i)
    for (j = 0; j < cols; ++j) sum += ((double *)later.data)[i * cols + j];
  printf("mean temperature after 500 steps: %.4f\n", sum / (rows * cols));
  vr_aot_release(&later);
  return 0;
}
