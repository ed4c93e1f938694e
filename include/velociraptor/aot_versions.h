/* Versions of a function of a built library, one of which the runtime chooses for each call. For code that `vrir build` made;
 * programs do not need it. Plain C99, also for C++. Its layout is part of the ABI (VR_ABI_VERSION). */
#ifndef VELOCIRAPTOR_AOT_VERSIONS_H
#define VELOCIRAPTOR_AOT_VERSIONS_H
#include <velociraptor/descriptor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a version is made for: an extent of an array, or the value of a real number that is whole. */
typedef struct vr_guard {
  int32_t arg;   /* number of the argument, from 0 */
  int32_t axis;  /* of the extent; -1: the value of a scalar */
  int64_t value;
} vr_guard;

/* Processors: 0, any of the architecture; 2, 3, 4: x86-64-v2, -v3, -v4 and those that have the same instructions. Device: 1, accelerated
 * sections are kernels, for calls that have an OpenCL device. */
typedef struct vr_version {
  vr_entry entry;
  const vr_guard* guards; /* all must hold */
  int32_t guard_count;
  int32_t processor;
  int32_t device;
  int32_t reserved;
} vr_version;

struct vr_export;
/* vr_rt_call_export with the first of the versions that may run on this processor and whose guards hold, instead of the
 * export's entry. VR_UNSUPPORTED: the processor has none. */
int32_t vr_rt_call_version(const struct vr_export*, const vr_version* versions, int32_t count, const vr_value* args,
                           void* const* results, vr_error* error);

#ifdef __cplusplus
}
#endif
#endif
