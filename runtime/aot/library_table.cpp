// The library functions that are linked, by their numbers in ir/library.def; they belong to the part `library`.
#include "runtime/aot/parts.hpp"

namespace vr::runtime {

namespace {

constexpr int32_t count = 0
#define VR_LIB(...) +1
#define VR_LIB_CALLED(...) +1
#include "ir/library.def"
    ;
/// Filled before main() and by the loader, then only read. Zero before any constructor runs.
LibraryFunction table[count];

}  // namespace

void register_library_function(int32_t id, const char* name, void (*compute)(const LibraryCall&)) {
  table[id] = {name, compute};
}

const LibraryFunction* library_function(int32_t id) {
  return id < 0 || id >= count || !table[id].compute ? nullptr : &table[id];
}

}  // namespace vr::runtime
