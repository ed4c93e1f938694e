// The memory pool of the engine's arrays and of vr::Array: it reuses blocks, because the first access to new memory from the
// system costs more than most array operations.
//
// Blocks up to 1 MiB are managed by size class: in a small cache of each thread first, then in lists shared by all threads.
// Larger blocks are mapped from the system and kept in one list, the oldest is unmapped first. The size of the shared lists is
// bounded (VR_POOL_BYTES, default 256 MiB; 0 keeps nothing); a thread's cache adds at most 1 MiB. All functions are
// thread-safe.
#pragma once
#include <cstdint>

namespace vr::runtime {

/// A block of at least `bytes` bytes (>= 0), 64-byte aligned; null when there is no memory. `zeroed`: all bytes are 0,
/// which costs nothing for a large block newly mapped from the system.
void* pool_allocate(int64_t bytes, bool zeroed) noexcept;
/// Returns a block to the pool; null is allowed.
void pool_free(void* block) noexcept;
/// The block's real size in bytes, >= the requested one.
int64_t pool_capacity(const void* block) noexcept;
/// Declares the first `bytes` bytes (at most the capacity) as used from now on, if that differs from the requested size:
/// AddressSanitizer reports accesses to the others.
void pool_use(void* block, int64_t bytes) noexcept;
/// 48 bytes of extra memory that belong to the block, for its vr_owner; 16-byte aligned, valid as long as the block.
constexpr int64_t pool_room_bytes = 48;
void* pool_room(void* block) noexcept;

struct PoolStats {
  int64_t live_blocks = 0;   ///< allocated and not yet freed
  int64_t cached_bytes = 0;  ///< in the shared lists
  int64_t reused = 0;        ///< blocks served from a cache
  int64_t fresh = 0;         ///< blocks taken from the system
};
/// Sums over all threads; exact when no other thread uses the pool at that moment.
PoolStats pool_stats() noexcept;
/// Changes the bound and returns memory that exceeds it to the system.
void pool_set_bound(int64_t bytes) noexcept;
int64_t pool_bound() noexcept;

}  // namespace vr::runtime
