/* Calls the functions of a batch (batch.cpp) and writes their results: DRIVER ARGUMENTS RESULTS FIRST. Each result is
 * written before the next call begins, so that a crash loses only one function's result. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_blocks = 64, most_values = 64 };

static FILE *in, *out;

static void get(void *to, size_t bytes) {
  if (bytes > 0 && fread(to, 1, bytes, in) != bytes) exit(3);
}
static int64_t number(void) {
  int64_t v;
  get(&v, sizeof v);
  return v;
}
static void put(const void *from, size_t bytes) {
  if (bytes > 0 && fwrite(from, 1, bytes, out) != bytes) exit(4);
}

static size_t element_bytes(int32_t elem) {
  static const size_t widths[] = {1, 4, 8, 4, 8, 1, 2, 1, 2, 4, 8, 2, 2};
  return widths[elem & ~VR_COMPLEX] * (elem & VR_COMPLEX ? 2 : 1);
}

/* The extents, then the elements, the last subscript fastest. */
static void put_array(const vr_array *a) {
  int64_t at[VR_MAX_RANK] = {0};
  int32_t k;
  put(a->extent, (size_t)a->rank * sizeof(int64_t));
  for (k = 0; k < a->rank; ++k)
    if (a->extent[k] == 0) return;
  for (;;) {
    const char *p = (const char *)a->data;
    for (k = 0; k < a->rank; ++k) p += at[k] * a->stride[k];
    put(p, element_bytes(a->elem));
    for (k = a->rank - 1; k >= 0 && ++at[k] == a->extent[k]; --k) at[k] = 0;
    if (k < 0) return;
  }
}

static void run(const driver_item *item) {
  char *memory[most_blocks], *block[most_blocks];
  int64_t size[most_blocks];
  vr_value args[most_values], scalars[most_values];
  vr_array given[most_values], made[most_values];
  void *results[most_values];
  vr_error error;
  int64_t status, blocks = number(), k, d;
  static double nothing[2];

  if (blocks > most_blocks || item->args > most_values || item->results > most_values) exit(5);
  for (k = 0; k < blocks; ++k) {
    size[k] = number();
    d = number();
    memory[k] = malloc((size_t)size[k] + 128);
    if (!memory[k]) exit(6);
    block[k] = memory[k] + (64 - (uintptr_t)memory[k] % 64) + d;
    get(block[k], (size_t)size[k]);
  }
  memset(given, 0, sizeof given);
  for (k = 0; k < item->args; ++k) {
    int64_t where, offset;
    if (!number()) {
      get(&args[k], sizeof args[k]);
      continue;
    }
    where = number();
    offset = number();
    given[k].data = where < 0 ? (void *)nothing : block[where] + offset;
    given[k].elem = (int32_t)number();
    given[k].rank = (int32_t)number();
    given[k].flags = (int32_t)number();
    for (d = 0; d < given[k].rank; ++d) given[k].extent[d] = number();
    for (d = 0; d < given[k].rank; ++d) given[k].stride[d] = number();
    args[k].array = &given[k];
  }
  memset(scalars, 0, sizeof scalars);
  memset(made, 0, sizeof made);
  for (k = 0; k < item->results; ++k) results[k] = item->is_array[k] ? (void *)&made[k] : (void *)&scalars[k];
  alarm(30);
  status = item->call(args, results, &error);
  alarm(0);
  put(&status, sizeof status);
  if (status != VR_OK) put(&error, sizeof error);
  for (k = 0; k < item->results && status == VR_OK; ++k) {
    if (item->is_array[k]) {
      put_array(&made[k]);
      vr_aot_release(&made[k]);
    } else {
      put(&scalars[k], sizeof scalars[k]);
    }
  }
  for (k = 0; k < blocks; ++k) {
    put(block[k], (size_t)size[k]);
    free(memory[k]);
  }
  fflush(out);
}

int main(int argc, char **argv) {
  int k;
  if (argc != 4) return 2;
  in = fopen(argv[1], "rb");
  out = fopen(argv[2], "wb");
  if (!in || !out) return 2;
  for (k = 0; k < driver_count; ++k) {
    const int64_t bytes = number();
    if (k < atoi(argv[3]))
      fseek(in, (long)bytes, SEEK_CUR);
    else
      run(&driver_items[k]);
  }
  return fclose(out) == 0 ? 0 : 4;
}
