// The built-in host from inside: its objects come from the pool, so that storage can go to and fro without a copy.
#pragma once
#include <velociraptor/array.hpp>
#include <velociraptor/binding.hpp>

namespace vr::runtime {

/// A new object with one reference; data, storage, extents and strides are still to be set. Null without memory. The
/// last reference gives the object and its storage (a block of the pool) back.
ArrayObject* make_array_object(int32_t elem, int32_t rank) noexcept;

void* builtin_allocate(void*, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout);
void builtin_release(void*, void* object);

/// Whether the host's objects are vr::Arrays that the host does not want to hear about: then arrays that will be
/// returned lie in the engine's storage until they are, and an object takes that over.
inline bool is_builtin(const HostBinding& host) {
  return host.allocate == builtin_allocate && host.release == builtin_release;
}

}  // namespace vr::runtime
