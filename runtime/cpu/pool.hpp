// The pool behind the engine's own arrays and vr::Array: blocks come back quickly, because touching fresh memory for
// the first time costs more than most array operations.
//
// Blocks up to 1 MiB go by size class: a small cache of each thread first, then lists shared by all threads. Larger
// blocks are mapped from the system and kept in one list, oldest given back first. What the shared lists keep is
// bounded (VR_POOL_BYTES, default 256 MiB; 0 keeps nothing); a thread's cache adds at most 1 MiB. All functions are
// thread-safe.
#pragma once
#include <cstdint>

namespace vr::runtime {

/// A block of at least `bytes` bytes (>= 0), 64-byte aligned; null when there is no memory. `zeroed`: all bytes are 0,
/// which costs nothing for a large block fresh from the system.
void* pool_allocate(int64_t bytes, bool zeroed) noexcept;
/// Gives a block back; null is fine.
void pool_free(void* block) noexcept;
/// Bytes that the block really has, >= those asked for.
int64_t pool_capacity(const void* block) noexcept;
/// Says that the first `bytes` bytes (at most the capacity) are in use from now on, where that is not what was asked
/// for: AddressSanitizer reports touching the others.
void pool_use(void* block, int64_t bytes) noexcept;
/// 48 bytes beside the block for the owner's own use, 16-byte aligned, valid as long as the block.
constexpr int64_t pool_room_bytes = 48;
void* pool_room(void* block) noexcept;

struct PoolStats {
  int64_t live_blocks = 0;   ///< handed out and not yet given back
  int64_t cached_bytes = 0;  ///< in the shared lists
  int64_t reused = 0;        ///< blocks served from a cache
  int64_t fresh = 0;         ///< blocks taken from the system
};
/// Sums over all threads; exact when no other thread uses the pool at that moment.
PoolStats pool_stats() noexcept;
/// Changes the bound and gives back what exceeds it.
void pool_set_bound(int64_t bytes) noexcept;
int64_t pool_bound() noexcept;

}  // namespace vr::runtime
