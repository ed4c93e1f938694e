// Collected memory for modules with `:memory boehm` (thesis 4.7): arrays that nobody counts, found and freed by the
// Boehm-Demers-Weiser collector (libgc). Elements lie in blocks that are not searched for addresses, owners in blocks
// that are.
//
// What is reachable from a stack of a registered thread or from CollectedDescriptors stays. Generated code keeps the
// owner of every array in a register or on its stack for as long as the array is used (vr_rt_keep), for the optimiser
// may well turn the address of the elements into another that lies outside of the block. Nobody else may hold an
// address of collected memory: not the heap, not thread-local storage, not a device's queue.
//
// The collector is the process' own: a host may use it too, and has initialised it before then.
#pragma once
#include <cstdint>

#include "runtime/abi.h"

namespace vr::runtime {

/// Starts the collector, once. False: the library was built without it. Thread-safe.
bool start_collector() noexcept;

/// A block of `bytes` bytes, 64-byte aligned, and its owner, which has no count (`borrowed` is VR_COLLECTED); null when
/// there is no memory. The collector must run and the thread be in a CollectorScope.
vr_owner* make_collected_owner(int64_t bytes, bool zeroed) noexcept;

/// While it lives, addresses on this thread's stack keep collected memory alive, and this thread may allocate it. Where
/// the thread cannot be registered, such as on a stack that is not its own, nothing is collected meanwhile. May be
/// nested.
class CollectorScope {
 public:
  explicit CollectorScope(bool on) noexcept;  ///< off: does nothing
  ~CollectorScope();
  CollectorScope(const CollectorScope&) = delete;
  CollectorScope& operator=(const CollectorScope&) = delete;

 private:
  bool on_;
};

/// `count` array descriptors that keep alive what they name, wherever this object lies.
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
