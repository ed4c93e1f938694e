/* Macros for tests in plain C. A failed CHECK is printed and counted; the test continues. */
#ifndef CAPI_CHECK_H
#define CAPI_CHECK_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <velociraptor/velociraptor.h>

extern int failed_checks;

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failed_checks;                                               \
    }                                                                \
  } while (0)
#define CHECK_INT(value, wanted)                                                   \
  do {                                                                             \
    const long long v_ = (long long)(value), w_ = (long long)(wanted);             \
    if (v_ != w_) {                                                                \
      printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #value, v_, w_); \
      ++failed_checks;                                                             \
    }                                                                              \
  } while (0)
#define CHECK_TEXT(value, wanted)                                                                \
  do {                                                                                           \
    const char *v_ = (value), *w_ = (wanted);                                                    \
    if (!v_ || strcmp(v_, w_) != 0) {                                                            \
      printf("%s:%d: %s is\n%s\nnot\n%s\n", __FILE__, __LINE__, #value, v_ ? v_ : "(NULL)", w_); \
      ++failed_checks;                                                                           \
    }                                                                                            \
  } while (0)
#define CHECK_HAS(text, part)                                                                        \
  do {                                                                                               \
    const char* t_ = (text);                                                                         \
    if (!t_ || !strstr(t_, (part))) {                                                                \
      printf("%s:%d: %s has no '%s':\n%s\n", __FILE__, __LINE__, #text, (part), t_ ? t_ : "(NULL)"); \
      ++failed_checks;                                                                               \
    }                                                                                                \
  } while (0)
/* A call that must succeed; a failure is printed and freed. Uses a variable `failure`. */
#define CHECK_OK(call)                                                                                        \
  do {                                                                                                        \
    vr_failure* failure = NULL;                                                                               \
    const vr_status s_ = (call);                                                                              \
    if (s_ != VR_OK) {                                                                                        \
      printf("%s:%d: %s: %s\n%s\n", __FILE__, __LINE__, #call, vr_status_name(s_), vr_failure_text(failure)); \
      ++failed_checks;                                                                                        \
    }                                                                                                         \
    CHECK((s_ == VR_OK) == (failure == NULL));                                                                \
    vr_failure_free(failure);                                                                                 \
  } while (0)
/* A call that must fail with this code, with and without a failure object, and whose message contains the given text.
 */
#define CHECK_FAILS(call, code, part)            \
  do {                                           \
    vr_failure* failure = NULL;                  \
    CHECK_INT((call), (code));                   \
    CHECK_INT(vr_failure_code(failure), (code)); \
    CHECK_HAS(vr_failure_text(failure), (part)); \
    vr_failure_free(failure);                    \
  } while (0)

/* An engine for this target; ends the process if it cannot be created. */
vr_engine* engine_on(int32_t target);
/* Loads the text of a module; ends the process if that fails. */
vr_module* loaded(const vr_engine* engine, const char* text);
vr_function* function_of(const vr_engine* engine, const char* text, const char* name);

extern const char scale_text[]; /* scale(a float64[2], x float64) -> a * x, an element at a time */
extern const char pick_text[];  /* pick(a float64[1], k int64) -> a[k] */
extern const char swap_text[];  /* swap(x int64, a strided float64[1]) -> a, x */
#endif
