/* Pipelines of functions and callbacks. */
#include <unistd.h>

#include "check.h"

enum { ITEMS = 20 };

/* Arrays {k, k + 1, k + 2} and the number 2. */
typedef struct items {
  int next, end, fails_at;
} items;

static vr_status give(void* data, size_t count, vr_datum* values, int32_t* more, char* why) {
  items* s = data;
  if (s->next == s->fails_at) {
    strcpy(why, "the disk is gone");
    return VR_NOT_FOUND;
  }
  if (s->next == s->end) return VR_OK;
  const int64_t extents[] = {1, 3};
  vr_ndarray* a = NULL;
  if (count != 2 || vr_ndarray_zeros(VR_FLOAT64, 2, extents, VR_LAYOUT_ROW_MAJOR, &a, NULL) != VR_OK)
    return VR_OUT_OF_MEMORY;
  for (int k = 0; k < 3; ++k) ((double*)vr_ndarray_data(a))[k] = s->next + k;
  values[0] = vr_datum_array(a);
  values[1] = vr_datum_f64(2);
  *more = 1;
  ++s->next;
  return VR_OK;
}

/* An array -> itself and the number that `data` points to; refuses the item whose first element is 2 * 7. */
static vr_status attach(void* data, size_t count, const vr_datum* values, size_t result_count, vr_datum* results,
                        char* why) {
  if (count != 1 || result_count != 2 || values[0].kind != VR_DATUM_ARRAY) return VR_TYPE;
  if (((double*)vr_ndarray_data(values[0].as.array))[0] == 14 && *(double*)data < 0) {
    strcpy(why, "no sevens");
    return 12345;
  }
  results[0] = vr_datum_array(vr_ndarray_retain(values[0].as.array));
  results[1] = vr_datum_f64(*(double*)data);
  return VR_OK;
}
static vr_status nothing(void* data, size_t count, const vr_datum* values, size_t result_count, vr_datum* results,
                         char* why) {
  (void)data, (void)count, (void)values, (void)result_count, (void)results, (void)why;
  return VR_OK;
}

static vr_pipeline* made(const vr_function* scale, double* factor) {
  vr_pipeline* p = NULL;
  CHECK_OK(vr_pipeline_create(&p, &failure));
  CHECK_OK(vr_pipeline_add_function(p, scale, &failure));
  CHECK_OK(vr_pipeline_add_stage(p, "attach", 2, attach, factor, &failure));
  CHECK_OK(vr_pipeline_add_function(p, scale, &failure));
  return p;
}

void test_pipelines(void);
void test_pipelines(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  vr_function* scale = function_of(engine, scale_text, "scale");
  double factor = 10;
  vr_pipeline* p = made(scale, &factor);
  for (int in_flight = 1; in_flight < 5; ++in_flight) {
    items source = {0, ITEMS, -1};
    vr_pipeline_run* run = NULL;
    CHECK_OK(vr_pipeline_start(p, 2, give, &source, in_flight, &run, &failure));
    vr_datum values[3];
    size_t count = 7;
    int32_t more = 7;
    for (int item = 0; item < ITEMS; ++item) {
      CHECK_OK(vr_pipeline_next(run, 3, values, &count, &more, &failure));
      CHECK_INT(more, 1);
      CHECK_INT(count, 1);
      CHECK_INT(values[1].kind, VR_DATUM_NONE);
      CHECK_INT(vr_ndarray_use_count(values[0].as.array), 1);
      for (int k = 0; k < 3; ++k) CHECK(((double*)vr_ndarray_data(values[0].as.array))[k] == 20.0 * (item + k));
      vr_datum_release(values, 3);
    }
    for (int again = 0; again < 2; ++again) {
      CHECK_OK(vr_pipeline_next(run, 3, values, &count, &more, &failure));
      CHECK_INT(more, 0);
      CHECK_INT(count, 0);
    }
    CHECK_INT(vr_pipeline_failed_stage(run), -1);
    CHECK_INT(vr_pipeline_failed_item(run), -1);
    vr_pipeline_run_free(run);
  }
  /* A run needs neither the pipeline nor the function nor the engine. */
  items source = {0, ITEMS, -1};
  vr_pipeline_run* run = NULL;
  CHECK_OK(vr_pipeline_start(p, 2, give, &source, 2, &run, &failure));
  vr_pipeline_free(p);
  vr_function_free(scale);
  vr_engine_free(engine);
  vr_datum value;
  size_t count;
  int32_t more;
  CHECK_OK(vr_pipeline_next(run, 1, &value, &count, &more, &failure));
  vr_datum_release(&value, 1);
  vr_pipeline_stop(run);
  CHECK_FAILS(vr_pipeline_next(run, 1, &value, &count, &more, &failure), VR_INTERRUPTED, "the pipeline was stopped");
  vr_pipeline_run_free(run);
}

void test_pipeline_failures(void);
void test_pipeline_failures(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  vr_function *scale = function_of(engine, scale_text, "scale"), *pick = function_of(engine, pick_text, "pick");
  double factor = -1;
  vr_pipeline* p = made(scale, &factor);
  vr_datum value;
  size_t count;
  int32_t more;
  items source = {0, ITEMS, -1};
  vr_pipeline_run* run = NULL;
  CHECK_OK(vr_pipeline_start(p, 2, give, &source, 3, &run, &failure));
  for (int item = 0; item < 7; ++item) {
    CHECK_OK(vr_pipeline_next(run, 1, &value, &count, &more, &failure));
    vr_datum_release(&value, 1);
  }
  CHECK_FAILS(vr_pipeline_next(run, 1, &value, &count, &more, &failure), VR_HOST,
              "stage 2 ('attach'), item 7: no sevens");
  CHECK_INT(vr_pipeline_failed_stage(run), 2);
  CHECK_INT(vr_pipeline_failed_item(run), 7);
  vr_pipeline_run_free(run);

  items broken = {0, ITEMS, 3};
  factor = 1;
  CHECK_OK(vr_pipeline_start(p, 2, give, &broken, 3, &run, &failure));
  for (int item = 0; item < 3; ++item) {
    CHECK_OK(vr_pipeline_next(run, 1, &value, &count, &more, &failure));
    vr_datum_release(&value, 1);
  }
  CHECK_FAILS(vr_pipeline_next(run, 1, &value, &count, &more, &failure), VR_NOT_FOUND,
              "the source, item 3: the disk is gone");
  CHECK_INT(vr_pipeline_failed_stage(run), 0);
  vr_pipeline_run_free(run);

  CHECK_OK(vr_pipeline_start(p, 1, give, &broken, 3, &run, &failure)); /* not what the source gives */
  broken.next = 0;
  vr_pipeline_run_free(run);
  CHECK_FAILS(vr_pipeline_start(p, 2, give, &broken, 0, &run, &failure), VR_USAGE, "0 items in flight");
  CHECK(run == NULL);
  items one = {0, 1, -1};
  CHECK_OK(vr_pipeline_start(p, 2, give, &one, 3, &run, &failure));
  CHECK_INT(vr_pipeline_next(run, 0, NULL, &count, &more, NULL), VR_USAGE);
  vr_pipeline_run_free(run);
  vr_pipeline_free(p);

  CHECK_OK(vr_pipeline_create(&p, &failure));
  CHECK_FAILS(vr_pipeline_start(p, 2, give, &one, 1, &run, &failure), VR_USAGE, "without stages");
  CHECK_OK(vr_pipeline_add_stage(p, "nothing", 1, nothing, NULL, &failure));
  one.next = 0;
  CHECK_OK(vr_pipeline_start(p, 2, give, &one, 3, &run, &failure));
  CHECK_FAILS(vr_pipeline_next(run, 1, &value, &count, &more, &failure), VR_USAGE, "neither a number nor an array");
  vr_pipeline_run_free(run);
  vr_pipeline_free(p);

  CHECK_OK(vr_pipeline_create(&p, &failure));
  CHECK_OK(vr_pipeline_add_function(p, pick, &failure));
  CHECK_OK(vr_pipeline_add_function(p, scale, &failure));
  CHECK_FAILS(vr_pipeline_start(p, 2, give, &one, 1, &run, &failure), VR_TYPE, "but stage 2 ('scale') takes");
  vr_pipeline_free(p);
  vr_function_free(scale);
  vr_function_free(pick);
  vr_engine_free(engine);
}
