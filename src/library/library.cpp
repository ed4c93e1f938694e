// The shared library's only source file of its own: all other objects come from the targets of src/ (CMakeLists.txt).
#include <velociraptor/descriptor.h>

static_assert(VR_ABI_VERSION == 3, "a new ABI needs a new library version (CMakeLists.txt, CHANGELOG.md)");
