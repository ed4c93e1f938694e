// Owners of arrays' storage: blocks of the pool and objects of a host (runtime/abi.h, vr_owner).
#pragma once
#include <velociraptor/binding.hpp>

#include "runtime/abi.h"

namespace vr::runtime {

/// Holds the host's lock while it lives; does nothing for hosts without one. Compiled code runs without the lock.
class HostLock {
 public:
  explicit HostLock(const HostBinding& host) : host_(host) {
    if (host_.take_lock) host_.take_lock(host_.context);
  }
  ~HostLock() {
    if (host_.release_lock) host_.release_lock(host_.context);
  }
  HostLock(const HostLock&) = delete;
  HostLock& operator=(const HostLock&) = delete;

 private:
  const HostBinding& host_;
};

/// A block of the pool and its owner (in pool_room), with one reference; null when there is no memory. owner->storage is the
/// block, owner->bytes its capacity (>= bytes).
vr_owner* make_engine_owner(int64_t bytes, bool zeroed) noexcept;
/// The same for arrays that generated code allocates: collected memory if the context says so.
vr_owner* make_owner(const vr_context* ctx, int64_t bytes, bool zeroed) noexcept;
/// An owner that takes over one reference to the host's object; null when there is no memory, and then the caller keeps the
/// reference. `host` must outlive it. Needs no lock.
vr_owner* make_host_owner(const HostBinding* host, void* object) noexcept;
/// Initialises an owner in the caller's stack frame for an object that the caller keeps alive; retain and release do nothing
/// for it, and generated code copies before it writes under value semantics. object and host may be null (foreign memory).
void init_borrowed_owner(vr_owner* owner, const HostBinding* host, void* object) noexcept;

/// Whether the storage may be changed or handed over without effect on other arrays: it has one reference and is not
/// borrowed.
inline bool is_unique(const vr_owner* owner) {
  return owner && !owner->borrowed && owner->refs.load(std::memory_order_acquire) == 1;
}

/// Whether value semantics permit a store in place: as above, and the array is not read-only.
inline bool is_unique(const vr_array& a) { return is_unique(a.owner) && !(a.flags & VR_ARRAY_READ_ONLY); }

/// Whether the array is contiguous and covers a whole collected block: such results must become objects before results that
/// may share elements with them.
bool is_whole_block(const vr_array& a) noexcept;

/// One new reference to an object of the context's host that holds the array's elements: the object behind `a` itself
/// if `a` is all of it, a view of it if the host has views and `allow_view` is set, else a new copy in `layout` (RowMajor or
/// ColMajor). An object of the built-in host takes over engine storage. Collected arrays are copied; if the array is a whole
/// block the owner records the object for further results that share its elements, which must be converted while the object
/// lives. The lock must not be held. `a` keeps its own reference.
int32_t to_host_object(vr_context* ctx, const vr_site* site, const vr_array* a, ir::Layout layout, bool allow_view,
                       void** object) noexcept;

/// Whether to_host_object makes an object of the built-in host of the array's own new block, all of it, without a copy.
bool becomes_object(const vr_array& a) noexcept;

/// Fills all fields but data and owner of a descriptor for a new contiguous array, which is not read-only.
void describe(vr_array* out, int32_t elem, int32_t rank, const int64_t* extents, bool column_major) noexcept;

}  // namespace vr::runtime
