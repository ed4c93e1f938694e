/* What C programs need besides the header that `vrir build` writes (docs/ahead-of-time.md). Plain C99, also for C++. The functions are
 * in libvrrt. */
#ifndef VELOCIRAPTOR_AOT_H
#define VELOCIRAPTOR_AOT_H
#include <velociraptor/descriptor.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Complex numbers: the real and the imaginary part. */
typedef struct vr_complex64 { float re, im; } vr_complex64;
typedef struct vr_complex128 { double re, im; } vr_complex128;

/* Describes contiguous elements of the caller: VR_FLOAT64 and others, `rank` (1 to VR_MAX_RANK) extents, the last dimension
 * (column_major: the first one) fastest. The elements stay the caller's and must live as long as the descriptor is used.
 * Returns VR_OK, VR_TYPE for an unknown element type or rank, VR_SIZE for extents that are negative or too large; then *out is
 * not changed. */
int32_t vr_aot_describe(vr_array* out, void* data, int32_t elem, int32_t rank, const int64_t* extents, int column_major);

/* Gives back an array that a compiled function returned: frees the elements with the last reference, and zeroes the descriptor.
 * Does nothing for arrays that the caller described, for zeroed descriptors, and for NULL. Thread-safe for different descriptors. */
void vr_aot_release(vr_array* array);

/* How many threads the parallel loops of functions built with `--on cpu-par` use, in this process. 0: as many as VR_NUM_THREADS
 * says, else as the machine has (the default). Values below 0 count as 0, above 4096 as 4096. Thread-safe; for later calls. */
void vr_aot_set_threads(int32_t threads);

/* Accelerated sections of functions built with `--on opencl`. The first call of such a function opens the OpenCL device: the one that
 * VR_DEVICE names (VR_DEVICE, the fault, if it is not there), else the first GPU, else any. Without a device sections run on the CPU.
 * All of these are thread-safe. */

/* The name of the device, or "": none is open. Copies at most size - 1 bytes and a zero to `text` (which may be NULL if size is 0) and
 * returns the length of the whole text. */
size_t vr_aot_device(char* text, size_t size);
/* What ran on the CPU because there is no device, or because it could not run it, since the process began: where, what, how often and
 * why, a line each that ends with '\n'; "" if nothing did. Copies as vr_aot_device. */
size_t vr_aot_report(char* text, size_t size);
/* Totals since the device was opened. */
typedef struct vr_aot_use {
  int64_t sections, launches;
  int64_t on_host;              /* kernels and library calls that ran on the CPU because the device could not run them */
  int64_t bytes_up, bytes_down; /* copied to the device and back; devices that share the host's memory need no copies */
  int64_t programs_built;       /* from their source */
  int64_t programs_loaded;      /* from binaries in the library */
} vr_aot_use;
void vr_aot_device_use(vr_aot_use* out);

#ifdef __cplusplus
}
#endif
#endif
