#include "runtime/cpu/pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace vr::runtime {

namespace {

/// Under AddressSanitizer the bytes of a free block may not be touched, although they stay ours.
void forbid([[maybe_unused]] const void* from, [[maybe_unused]] int64_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_POISON_MEMORY_REGION(from, static_cast<size_t>(bytes));
#endif
}
void allow([[maybe_unused]] const void* from, [[maybe_unused]] int64_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(from, static_cast<size_t>(bytes));
#endif
}

/// Stands in front of each block. A free block is linked through `next`; `room` belongs to the block's user.
struct alignas(64) Header {
  int64_t total;  ///< bytes with the header
  union {
    Header* next;
    int64_t pad;
  };
  unsigned char room[pool_room_bytes];
};
static_assert(sizeof(Header) == 64);

constexpr int64_t large_from = int64_t{1} << 20;     // total bytes from which blocks are mapped from the system
constexpr int64_t thread_block = int64_t{64} << 10;  // a thread keeps blocks up to this size
constexpr int64_t thread_bytes = int64_t{1} << 20;   // and so many bytes of them
constexpr int64_t huge_from = int64_t{4} << 20;      // ask for huge pages from here

Header* header_of(const void* block) { return reinterpret_cast<Header*>(const_cast<void*>(block)) - 1; }

/// Rounds up to one of 2^bits sizes between two powers of two, so that at most 1/2^bits of a block is wasted.
int64_t round_up(int64_t total, int bits) {
  int log = std::bit_width(static_cast<uint64_t>(total - 1));  // total <= 2^log
  int64_t step = int64_t{1} << std::max(log - 1 - bits, 6);
  return (total + step - 1) & ~(step - 1);
}

/// Number of a size made by round_up(_, 2) below large_from.
constexpr int class_count = 64;
int class_of(int64_t total) {
  int log = std::bit_width(static_cast<uint64_t>(total - 1));
  int64_t step = int64_t{1} << std::max(log - 3, 6);
  if (log <= 9) return static_cast<int>(total / step);  // 64-byte steps up to 512
  return 8 + (log - 10) * 4 + static_cast<int>((total - (int64_t{1} << (log - 1))) / step);
}

struct Counters {
  alignas(64) std::atomic<int64_t> live{0};
  std::atomic<int64_t> reused{0}, fresh{0};
};

/// Shared by all threads. Never destroyed: arrays may be released while the process ends.
struct Shared {
  struct List {
    std::mutex mutex;
    Header* head = nullptr;
  };
  List lists[class_count];
  std::mutex large_mutex;
  Header* oldest = nullptr;  // large blocks in the order in which they came back, linked by `next`
  Header* newest = nullptr;
  std::atomic<int64_t> cached{0};
  std::atomic<int64_t> bound{int64_t{256} << 20};
  Counters counters[16];  // spread over threads; they are touched at every allocation
  std::atomic<unsigned> threads{0};

  Shared() {
    if (const char* text = std::getenv("VR_POOL_BYTES")) {
      char* end = nullptr;
      long long value = std::strtoll(text, &end, 10);
      if (end != text && *end == '\0' && value >= 0) bound = value;
    }
  }
};
Shared& shared() {
  static Shared* pool = new Shared;
  return *pool;
}

void give_to_system(Header* h) {
  allow(h + 1, h->total - static_cast<int64_t>(sizeof(Header)));
  if (h->total >= large_from) {
    ::munmap(h, static_cast<size_t>(h->total));
  } else {
    std::free(h);
  }
}

/// Reserves room for `bytes` in the shared lists; false when the bound forbids it.
bool reserve_cached(Shared& pool, int64_t bytes) {
  int64_t now = pool.cached.load(std::memory_order_relaxed);
  do {
    if (now + bytes > pool.bound.load(std::memory_order_relaxed)) return false;
  } while (!pool.cached.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
  return true;
}

void free_small(Shared& pool, Header* h) {
  if (!reserve_cached(pool, h->total)) return give_to_system(h);
  Shared::List& list = pool.lists[class_of(h->total)];
  std::lock_guard lock(list.mutex);
  h->next = list.head;
  list.head = h;
}

/// Takes the oldest large blocks out until `bytes` more fit (or none is left); returns them linked.
Header* evict_locked(Shared& pool, int64_t bytes) {
  Header* out = nullptr;
  while (pool.oldest && pool.cached.load(std::memory_order_relaxed) + bytes > pool.bound.load()) {
    Header* h = pool.oldest;
    pool.oldest = h->next;
    if (!pool.oldest) pool.newest = nullptr;
    pool.cached.fetch_sub(h->total, std::memory_order_relaxed);
    h->next = out;
    out = h;
  }
  return out;
}
void give_all_to_system(Header* h) {
  while (h) {
    Header* next = h->next;
    give_to_system(h);
    h = next;
  }
}

void free_large(Shared& pool, Header* h) {
  Header* evicted = nullptr;
  bool kept = false;
  if (h->total <= pool.bound.load(std::memory_order_relaxed)) {
    std::lock_guard lock(pool.large_mutex);
    evicted = evict_locked(pool, h->total);
    if (reserve_cached(pool, h->total)) {
      kept = true;
      h->next = nullptr;
      (pool.newest ? pool.newest->next : pool.oldest) = h;
      pool.newest = h;
    }
  }
  give_all_to_system(evicted);
  if (!kept) give_to_system(h);
}

/// The smallest cached block that is at most a quarter too large.
Header* take_large(Shared& pool, int64_t total) {
  if (pool.cached.load(std::memory_order_relaxed) == 0) return nullptr;
  std::lock_guard lock(pool.large_mutex);
  Header* before = nullptr;
  Header* best = nullptr;
  Header* best_before = nullptr;
  for (Header* h = pool.oldest; h; before = h, h = h->next) {
    if (h->total < total || h->total > total + total / 4 || (best && h->total >= best->total)) continue;
    best = h;
    best_before = before;
  }
  if (!best) return nullptr;
  (best_before ? best_before->next : pool.oldest) = best->next;
  if (pool.newest == best) pool.newest = best_before;
  pool.cached.fetch_sub(best->total, std::memory_order_relaxed);
  return best;
}

/// One thread's free blocks. Other threads' blocks freed here stay here; what is too much goes to the shared lists.
struct ThreadCache {
  Header* lists[class_count] = {};
  int64_t bytes = 0;

  void drain(Shared& pool) {
    for (Header*& head : lists) {
      while (Header* h = head) {
        head = h->next;
        free_small(pool, h);
      }
    }
    bytes = 0;
  }
};
enum class ThreadState : uint8_t { Unused, Alive, Ended };
thread_local ThreadState thread_state = ThreadState::Unused;  // trivial: still readable in late destructors
thread_local unsigned thread_number = 0;
struct ThreadCacheHolder {
  ThreadCache cache;
  ThreadCacheHolder() {
    thread_state = ThreadState::Alive;
    thread_number = shared().threads.fetch_add(1, std::memory_order_relaxed);
  }
  ~ThreadCacheHolder() {
    thread_state = ThreadState::Ended;
    cache.drain(shared());
  }
};
/// Null while the thread ends, when its cache is gone already.
ThreadCache* thread_cache() {
  if (thread_state == ThreadState::Ended) return nullptr;
  thread_local ThreadCacheHolder holder;
  return &holder.cache;
}

Header* map_large(int64_t total) {
  void* memory =
      ::mmap(nullptr, static_cast<size_t>(total), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (total >= huge_from) ::madvise(memory, static_cast<size_t>(total), MADV_HUGEPAGE);  // a hint; may fail
  return static_cast<Header*>(memory);
}

}  // namespace

void* pool_allocate(int64_t bytes, bool zeroed) noexcept {
  if (bytes < 0 || bytes > INT64_MAX / 2) return nullptr;
  Shared& pool = shared();
  int64_t total = bytes + static_cast<int64_t>(sizeof(Header));
  Header* h = nullptr;
  ThreadCache* cache = thread_cache();
  bool clean = false;
  bool reused = false;
  if (round_up(total, 2) < large_from) {
    total = round_up(total, 2);
    int c = class_of(total);
    if (cache && cache->lists[c]) {
      h = cache->lists[c];
      cache->lists[c] = h->next;
      cache->bytes -= total;
    } else {
      Shared::List& list = pool.lists[c];
      std::lock_guard lock(list.mutex);
      if ((h = list.head)) {
        list.head = h->next;
        pool.cached.fetch_sub(total, std::memory_order_relaxed);
      }
    }
    reused = h != nullptr;
    if (!h) h = static_cast<Header*>(std::aligned_alloc(64, static_cast<size_t>(total)));
  } else {
    total = std::max(large_from, (round_up(total, 3) + 4095) & ~int64_t{4095});
    h = take_large(pool, total);
    reused = h != nullptr;
    if (h) {
      total = h->total;
    } else {
      h = map_large(total);
      clean = true;
    }
  }
  if (!h) return nullptr;
  h->total = total;
  Counters& counters = pool.counters[thread_number % 16];
  counters.live.fetch_add(1, std::memory_order_relaxed);
  (reused ? counters.reused : counters.fresh).fetch_add(1, std::memory_order_relaxed);
  void* block = h + 1;
  allow(block, total - static_cast<int64_t>(sizeof(Header)));
  if (zeroed && !clean) std::memset(block, 0, static_cast<size_t>(bytes));
  return block;
}

void pool_free(void* block) noexcept {
  if (!block) return;
  Shared& pool = shared();
  Header* h = header_of(block);
  forbid(block, h->total - static_cast<int64_t>(sizeof(Header)));
  pool.counters[thread_number % 16].live.fetch_sub(1, std::memory_order_relaxed);
  if (h->total >= large_from) return free_large(pool, h);
  ThreadCache* cache = thread_cache();
  int64_t limit = std::min(thread_bytes, pool.bound.load(std::memory_order_relaxed) / 8);
  if (!cache || h->total > thread_block || cache->bytes + h->total > limit) return free_small(pool, h);
  Header*& head = cache->lists[class_of(h->total)];
  h->next = head;
  head = h;
  cache->bytes += h->total;
}

int64_t pool_capacity(const void* block) noexcept {
  return header_of(block)->total - static_cast<int64_t>(sizeof(Header));
}

void* pool_room(void* block) noexcept { return header_of(block)->room; }

PoolStats pool_stats() noexcept {
  Shared& pool = shared();
  PoolStats stats;
  for (const Counters& c : pool.counters) {
    stats.live_blocks += c.live.load(std::memory_order_relaxed);
    stats.reused += c.reused.load(std::memory_order_relaxed);
    stats.fresh += c.fresh.load(std::memory_order_relaxed);
  }
  stats.cached_bytes = pool.cached.load(std::memory_order_relaxed);
  return stats;
}

void pool_set_bound(int64_t bytes) noexcept {
  Shared& pool = shared();
  pool.bound = std::max<int64_t>(bytes, 0);
  if (ThreadCache* cache = thread_cache()) cache->drain(pool);
  Header* evicted = nullptr;
  {
    std::lock_guard lock(pool.large_mutex);
    evicted = evict_locked(pool, 0);
  }
  give_all_to_system(evicted);
  for (Shared::List& list : pool.lists) {
    std::lock_guard lock(list.mutex);
    while (list.head && pool.cached.load(std::memory_order_relaxed) > pool.bound.load()) {
      Header* h = list.head;
      list.head = h->next;
      pool.cached.fetch_sub(h->total, std::memory_order_relaxed);
      give_to_system(h);
    }
  }
}

int64_t pool_bound() noexcept { return shared().bound.load(); }

}  // namespace vr::runtime
