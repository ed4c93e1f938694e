/* The functions that driver.c calls; batch.cpp writes the table. */
#ifndef AHEAD_OF_TIME_DRIVER_H
#define AHEAD_OF_TIME_DRIVER_H
#include <velociraptor/aot.h>

typedef struct driver_item {
  int32_t (*call)(const vr_value *args, void *const *results, vr_error *error);
  int args, results;
  const char *is_array; /* of each result */
} driver_item;

extern const driver_item driver_items[];
extern const int driver_count;
#endif
