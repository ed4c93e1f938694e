/* Calls the stencil of heat.vrir, whose section was built with kernels, and prints where it ran (ahead_of_time.sh). */
#include <stdio.h>
#include <string.h>

#include "heat.h"

enum { rows = 200, cols = 300 };
static double plate[rows][cols];

int main(void) {
  const int64_t extents[2] = {rows, cols};
  vr_array hot, later = {0};
  vr_error error;
  vr_aot_use use;
  char device[200], report[2000];
  double sum = 0;
  int32_t code;
  int i, j;

  if (vr_aot_device(NULL, 0) != 0 || vr_aot_report(NULL, 0) != 0) return 2; /* nothing has been called */
  for (i = 0; i < rows; ++i) plate[i][0] = 100;
  if (vr_aot_describe(&hot, plate, VR_FLOAT64, 2, extents, 0) != VR_OK) return 1;
  code = heat(&hot, 500, 0.2, &later, &error);
  if (code != VR_OK) {
    printf("fault %d in %s: %s\n", (int)error.code, error.function, error.message);
    return code == error.code && later.data == NULL ? 0 : 3;
  }
  for (i = 0; i < rows; ++i)
    for (j = 0; j < cols; ++j) sum += ((double*)later.data)[i * cols + j];
  printf("mean temperature after 500 steps: %.4f\n", sum / (rows * cols));
  vr_aot_release(&later);
  vr_aot_device_use(&use);
  vr_aot_device(device, sizeof device);
  vr_aot_report(report, sizeof report);
  printf("%s: %s, copies: %s, built: %s, loaded: %s\n", *device ? "device" : "no device",
         use.launches >= 500 ? "500 kernels" : "no kernels", use.bytes_up > 0 ? "yes" : "no",
         use.programs_built > 0 ? "yes" : "no", use.programs_loaded > 0 ? "yes" : "no");
  printf("report: %s", *report ? report : "nothing\n");
  return 0;
}
