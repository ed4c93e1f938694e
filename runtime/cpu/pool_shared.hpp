// The second level of the pool, below the threads' caches: free blocks that all threads share, and memory from the system. Private.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "runtime/cpu/pool.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace vr::runtime::pool {

/// Precedes each block in memory. Free blocks are linked through `next`; `room` is for the block's user (pool_room).
struct alignas(64) Header {
  int64_t total;  ///< bytes with the header
  Header* next;
  unsigned char room[pool_room_bytes];
};
static_assert(sizeof(Header) == 64);
#if defined(__SANITIZE_ADDRESS__)
// Red zones before and after each block.
constexpr int64_t front_bytes = 64, tail_bytes = 64;
#else
constexpr int64_t front_bytes = 0, tail_bytes = 0;
#endif
constexpr int64_t header_bytes = sizeof(Header) + front_bytes;  ///< from the header to the block
constexpr int64_t beside_bytes = header_bytes + tail_bytes;     ///< overhead of a block in bytes
inline Header* header_of(const void* block) {
  return reinterpret_cast<Header*>(static_cast<char*>(const_cast<void*>(block)) - header_bytes);
}
inline void* block_of(Header* h) { return reinterpret_cast<char*>(h) + header_bytes; }

constexpr int64_t large_from = int64_t{1} << 20;  // total size in bytes from which on blocks are mapped from the system

/// Sizes of small blocks: multiples of 64 up to 512 bytes, then four between two powers of two, so that at most a
/// quarter of a block is wasted.
struct SizeClass {
  int number;
  int64_t total;
};
constexpr int class_count = 8 + 4 * 11 + 1;
inline SizeClass size_class(int64_t total) {
  if (total <= 512) {
    const int64_t n = (total + 63) >> 6;
    return {static_cast<int>(n), n << 6};
  }
  const int log = std::bit_width(static_cast<uint64_t>(total - 1));  // 2^(log - 1) < total <= 2^log
  const int shift = log - 3;
  const int64_t steps = (total + (int64_t{1} << shift) - 1) >> shift;  // 5 to 8
  return {8 + (log - 10) * 4 + static_cast<int>(steps) - 4, steps << shift};
}

/// Under AddressSanitizer, permits access to the first `bytes` bytes of the block only; -1: to all of it with its red zones,
/// because it is returned to the system.
inline void allow([[maybe_unused]] Header* h, [[maybe_unused]] int64_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  auto* whole = reinterpret_cast<char*>(h + 1);
  const auto size = static_cast<size_t>(h->total) - sizeof(Header);
  if (bytes < 0) return ASAN_UNPOISON_MEMORY_REGION(whole, size);
  ASAN_POISON_MEMORY_REGION(whole, size);
  ASAN_UNPOISON_MEMORY_REGION(block_of(h), static_cast<size_t>(bytes));
#endif
}

/// A free block of that class; null if there is none.
Header* take_small(const SizeClass& c) noexcept;
/// Adds a block to the shared lists, or returns it to the system if they are at their bound.
void give_small(Header* h) noexcept;
/// A new block of exactly that many bytes; null if there is no memory.
Header* fresh_small(int64_t total) noexcept;

/// A block of at least `total` >= large_from bytes; `clean`: fresh from the system, all zero. Null without memory.
Header* take_large(int64_t total, bool* clean) noexcept;
void give_large(Header* h) noexcept;

/// Bytes in the shared lists.
int64_t cached_bytes() noexcept;
/// How many bytes of free blocks a thread may keep in its cache: an eighth of the bound, at most 1 MiB.
extern std::atomic<int64_t> thread_limit;
/// The part of pool_set_bound for the shared lists.
void set_bound(int64_t bytes) noexcept;
int64_t bound() noexcept;
/// Reads VR_POOL_BYTES and prepares for fork(), once; happens when the library is loaded.
void start() noexcept;

/// All locks are held during a fork(), so that the lists are consistent in the child.
void lock_shared() noexcept;
void unlock_shared() noexcept;
void before_fork() noexcept;  // pool.cpp
void after_fork(bool child) noexcept;

}  // namespace vr::runtime::pool
