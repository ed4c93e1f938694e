// The library's functions that the runtime computes, by their numbers in ir/library.def.
#include <iterator>

#include "runtime/library/call.hpp"

namespace vr::runtime {

namespace library {
#define VR_LIB(...)
#define VR_LIB_CALLED(Id, ...) void Id(const LibraryCall&);
#include "ir/library.def"
}  // namespace library

static constexpr LibraryFunction table[] = {
#define VR_LIB(...) {nullptr, nullptr},
#define VR_LIB_CALLED(Id, name, ...) {name, library::Id},
#include "ir/library.def"
};

const LibraryFunction* library_function(int32_t id) {
  if (id < 0 || id >= static_cast<int32_t>(std::size(table)) || !table[id].compute) return nullptr;
  return &table[id];
}

}  // namespace vr::runtime
