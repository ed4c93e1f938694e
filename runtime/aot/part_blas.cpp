// BLAS and LAPACK: registers the library functions of the part `blas` (runtime/parts.def).
#define VR_THIS_PART blas
#include "runtime/aot/register.inc"

VR_PART_MARKER(blas)
