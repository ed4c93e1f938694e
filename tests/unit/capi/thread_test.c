/* One engine, module and function, called from four threads; errors belong to the thread that caused them. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 200 };

typedef struct job {
  int number;
  const vr_engine* engine;
  const vr_function *scale, *pick;
  vr_ndarray* shared;
  int wrong;
} job;

static void* work(void* data) {
  job* j = data;
  for (int round = 0; round < ROUNDS; ++round) {
    const vr_datum args[] = {vr_datum_array(j->shared), vr_datum_f64(j->number)};
    vr_datum result;
    if (vr_function_call(j->scale, 2, args, 1, &result, NULL) != VR_OK) ++j->wrong;
    const double* out = result.kind == VR_DATUM_ARRAY ? vr_ndarray_data(result.as.array) : NULL;
    if (!out || out[5] != 5.0 * j->number) ++j->wrong;
    vr_datum_release(&result, 1);

    double values[] = {1, 2};
    const int64_t extent = 2;
    vr_ndarray* own = NULL;
    vr_failure* failure = NULL;
    if (vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &own, &failure) != VR_OK) ++j->wrong;
    const vr_datum beyond[] = {vr_datum_array(own), vr_datum_i64(100 + j->number)};
    if (vr_function_call(j->pick, 2, beyond, 1, &result, &failure) != VR_OUT_OF_BOUNDS) ++j->wrong;
    if (vr_failure_index(failure) != 100 + j->number) ++j->wrong;
    vr_failure_free(failure);
    vr_ndarray_release(own);

    if (round % 50 == 0) { /* loading at the same time */
      vr_module* module = NULL;
      if (vr_module_load_text(j->engine, pick_text, VR_TO_NUL, NULL, &module, NULL) != VR_OK) ++j->wrong;
      vr_module_free(module);
    }
  }
  return NULL;
}

void test_threads(void);
void test_threads(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU_PARALLEL);
  vr_function *scale = function_of(engine, scale_text, "scale"), *pick = function_of(engine, pick_text, "pick");
  const int64_t extents[] = {2, 3};
  vr_ndarray* a = NULL;
  CHECK_OK(vr_ndarray_zeros(VR_FLOAT64, 2, extents, VR_LAYOUT_ROW_MAJOR, &a, &failure));
  for (int k = 0; k < 6; ++k) ((double*)vr_ndarray_data(a))[k] = k;
  pthread_t threads[THREADS];
  job jobs[THREADS];
  for (int k = 0; k < THREADS; ++k) {
    const job j = {k, engine, scale, pick, a, 0};
    jobs[k] = j;
    CHECK_INT(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
  }
  for (int k = 0; k < THREADS; ++k) {
    pthread_join(threads[k], NULL);
    CHECK_INT(jobs[k].wrong, 0);
  }
  CHECK_INT(vr_ndarray_use_count(a), 1);
  vr_ndarray_release(a);
  vr_function_free(scale);
  vr_function_free(pick);
  vr_engine_free(engine);
}
