// Behind the threads' own caches: free blocks that all threads share, and memory from the system (private to the pool).
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "runtime/cpu/pool.hpp"

namespace vr::runtime::pool {

/// Stands in front of each block. A free block is linked through `next`; `room` belongs to the block's user.
struct alignas(64) Header {
  int64_t total;  ///< bytes with the header
  Header* next;
  unsigned char room[pool_room_bytes];
};
static_assert(sizeof(Header) == 64);
constexpr int64_t header_bytes = sizeof(Header);
inline Header* header_of(const void* block) { return reinterpret_cast<Header*>(const_cast<void*>(block)) - 1; }

constexpr int64_t large_from = int64_t{1} << 20;  // total bytes from which blocks are mapped from the system

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

/// Under AddressSanitizer the bytes of a free block may not be touched, although they stay ours.
void forbid(const Header* h);
void allow(const Header* h);

/// A free block of that class, null when there is none.
Header* take_small(const SizeClass& c) noexcept;
/// Takes a block over, up to the bound; the rest goes to the system.
void give_small(Header* h) noexcept;
/// A new block of exactly that many bytes, null without memory.
Header* fresh_small(int64_t total) noexcept;

/// A block of at least `total` >= large_from bytes; `clean`: fresh from the system, all zero. Null without memory.
Header* take_large(int64_t total, bool* clean) noexcept;
void give_large(Header* h) noexcept;

/// Bytes in the shared lists.
int64_t cached_bytes() noexcept;
/// How many bytes of free blocks a thread may keep to itself: an eighth of the bound, at most 1 MiB.
extern std::atomic<int64_t> thread_limit;
/// What pool_set_bound does to the shared lists.
void set_bound(int64_t bytes) noexcept;
int64_t bound() noexcept;
/// Reads VR_POOL_BYTES and prepares for fork(), once; happens when the library is loaded.
void start() noexcept;

/// Around a fork() all locks are held, so that the child finds no list half changed.
void lock_shared() noexcept;
void unlock_shared() noexcept;
void before_fork() noexcept;  // pool.cpp
void after_fork(bool child) noexcept;

}  // namespace vr::runtime::pool
