/* The C peers of bench/programs: the same algorithms as a C programmer writes them, for `gcc -O3 -march=native`; no
 * bounds checks. Matrices are row-major. Every buffer is the caller's and lives from call to call, as our engine's pool
 * does, so that neither side touches fresh pages. The harness finds these functions by name (the library is built
 * twice). A file that exists in two precisions uses REAL and NAME; its _f32 companion sets them. */
#ifndef VR_BENCH_PROGRAMS_H
#define VR_BENCH_PROGRAMS_H
#include <stdint.h>
#ifndef REAL
#define REAL double
#define NAME(f) f
#endif
#endif
