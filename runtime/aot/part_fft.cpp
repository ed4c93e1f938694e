// Fourier transforms: registers the library functions of the part `fft` (runtime/parts.def).
#define VR_THIS_PART fft
#include "runtime/aot/register.inc"

VR_PART_MARKER(fft)
