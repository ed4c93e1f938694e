// Collected memory for modules with `:memory boehm` (thesis 4.7): arrays without reference counts, freed by the
// Boehm-Demers-Weiser collector (libgc). Elements are in blocks that are not scanned for addresses, owners in blocks that are
// scanned.
//
// Memory that is reachable from the stack of a registered thread or from CollectedDescriptors is kept. Generated code keeps the
// owner of every array in a register or on its stack as long as the array is used (vr_rt_keep), because the optimiser may
// replace the address of the elements by one outside of the block. The only copy of an address of collected memory must not be
// elsewhere: not in the heap, in thread-local storage or in a device's queue.
//
// There is one collector per process: a host may use it too, and must then have initialised it before.
#pragma once
#include <cstdint>

#include "runtime/abi.h"

namespace vr::runtime {

/// Starts the collector, once. False: the library was built without it. Thread-safe.
bool start_collector() noexcept;

/// A block of `bytes` bytes, 64-byte aligned, and its owner, which has no count (`borrowed` is VR_COLLECTED); null when
/// there is no memory. The collector must run and the thread be in a CollectorScope.
vr_owner* make_collected_owner(int64_t bytes, bool zeroed) noexcept;

/// While it lives, addresses on this thread's stack keep collected memory alive, and this thread may allocate it. If the
/// thread cannot be registered, for example because it runs on a coroutine's stack, collection is suspended. May be nested.
class CollectorScope {
 public:
  explicit CollectorScope(bool on) noexcept;  ///< off: does nothing
  ~CollectorScope();
  CollectorScope(const CollectorScope&) = delete;
  CollectorScope& operator=(const CollectorScope&) = delete;

 private:
  bool on_;
};

/// `count` array descriptors whose arrays the collector keeps alive, wherever this object is in memory.
class CollectedDescriptors {
 public:
  explicit CollectedDescriptors(size_t count) noexcept;  ///< 0: none, and no collector is needed
  ~CollectedDescriptors();
  CollectedDescriptors(const CollectedDescriptors&) = delete;
  CollectedDescriptors& operator=(const CollectedDescriptors&) = delete;
  vr_array* data() { return data_; }  ///< null when there was no memory, and with count 0

 private:
  vr_array* data_ = nullptr;
};

struct CollectorStats {
  int64_t heap_bytes = 0;       ///< size of the collector's heap
  int64_t allocated_bytes = 0;  ///< all that was ever allocated
  int64_t collections = 0;
};
CollectorStats collector_stats() noexcept;
/// Collects now; for tests. The thread must be in a CollectorScope.
void collect_now() noexcept;

}  // namespace vr::runtime
