// Sorting, sets, selection: registers the library functions of the part `library` (runtime/parts.def).
#define VR_THIS_PART library
#include "runtime/aot/register.inc"

VR_PART_MARKER(library)
