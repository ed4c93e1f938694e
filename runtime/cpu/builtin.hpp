// Internals of the built-in host: its objects use blocks of the pool, so that storage passes between it and the engine without a copy.
#pragma once
#include <velociraptor/array.hpp>
#include <velociraptor/binding.hpp>

namespace vr::runtime {

/// A new object with one reference; the caller sets data, storage, extents and strides. Null if there is no memory. Releasing
/// the last reference frees the object and its storage (a block of the pool).
ArrayObject* make_array_object(int32_t elem, int32_t rank) noexcept;

void* builtin_allocate(void*, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout);
void builtin_release(void*, void* object);

/// Whether the host's objects are vr::Arrays and it uses the built-in allocate and release: then arrays that will be returned
/// are made in engine storage, which an object takes over when they are returned.
inline bool is_builtin(const HostBinding& host) {
  return host.allocate == builtin_allocate && host.release == builtin_release;
}

}  // namespace vr::runtime
