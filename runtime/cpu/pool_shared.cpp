#include "runtime/cpu/pool_shared.hpp"

#include "support/settings.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdlib>
#include <mutex>

namespace vr::runtime::pool {

namespace {

constexpr int64_t huge_from = int64_t{2} << 20;     // from this size on blocks are aligned to huge pages and request them
constexpr int64_t thread_bytes = int64_t{1} << 20;  // the most bytes that a thread's cache may hold

constexpr int64_t thread_limit_for(int64_t bound) { return std::min(thread_bytes, bound >> 3); }

/// Shared by all threads. Never destroyed: arrays may be released while the process ends.
struct Shared {
  // A lock for a few lists each, so that there are few enough locks to hold all of them during a fork().
  static constexpr int lock_count = 8;
  std::mutex small_mutex[lock_count];
  Header* lists[class_count] = {};
  std::mutex large_mutex;
  Header* oldest = nullptr;  // large blocks in the order in which they were freed, linked by `next`
  Header* newest = nullptr;
  std::atomic<int64_t> cached{0};
  std::atomic<int64_t> bound{int64_t{256} << 20};

  Shared() {
    if (const auto bytes = settings::number(settings::Name::VR_POOL_BYTES)) bound = *bytes;
    thread_limit = thread_limit_for(bound);
    pthread_atfork(before_fork, [] { after_fork(false); }, [] { after_fork(true); });
  }
  std::mutex& mutex_of(int c) { return small_mutex[c % lock_count]; }
};
Shared& shared() {
  static Shared* pool = new Shared;
  return *pool;
}

void give_to_system(Header* h) {
  allow(h, -1);
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

/// Removes the oldest large blocks until `bytes` more fit (or none is left); returns them as a linked list.
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

/// The smallest cached block that is at most a quarter too large.
Header* take_cached_large(Shared& pool, int64_t total) {
  if (pool.cached.load(std::memory_order_relaxed) == 0) return nullptr;
  std::lock_guard lock(pool.large_mutex);
  Header* before = nullptr;
  Header* best = nullptr;
  Header* best_before = nullptr;
  for (Header* h = pool.oldest; h; before = h, h = h->next) {
    if (h->total < total || h->total > total + total / 4 || (best && h->total >= best->total)) continue;
    best = h;
    best_before = before;
    if (h->total == total) break;
  }
  if (!best) return nullptr;
  (best_before ? best_before->next : pool.oldest) = best->next;
  if (pool.newest == best) pool.newest = best_before;
  pool.cached.fetch_sub(best->total, std::memory_order_relaxed);
  return best;
}

/// Returns small blocks to the system, large ones first, until `bytes` more fit.
void trim_small(Shared& pool, int64_t bytes) {
  for (int c = class_count - 1; c >= 0; --c) {
    std::lock_guard lock(pool.mutex_of(c));
    Header*& head = pool.lists[c];
    while (head && pool.cached.load(std::memory_order_relaxed) + bytes > pool.bound.load(std::memory_order_relaxed)) {
      Header* h = head;
      head = h->next;
      pool.cached.fetch_sub(h->total, std::memory_order_relaxed);
      give_to_system(h);
    }
  }
}

/// Adds the block to the list if it fits after removing older ones, which are returned in `evicted`.
bool keep_large(Shared& pool, Header* h, Header** evicted) {
  std::lock_guard lock(pool.large_mutex);
  *evicted = evict_locked(pool, h->total);
  if (!reserve_cached(pool, h->total)) return false;
  h->next = nullptr;
  (pool.newest ? pool.newest->next : pool.oldest) = h;
  pool.newest = h;
  return true;
}

void* map(int64_t bytes) {
  void* memory =
      ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

/// The first access to fresh memory costs a page fault per page, ten times more than writing it; huge pages need an
/// aligned start.
Header* map_large(int64_t total) {
  if (total < huge_from) return static_cast<Header*>(map(total));
  auto* memory = static_cast<char*>(map(total + huge_from));
  if (!memory) return static_cast<Header*>(map(total));
  const auto start = reinterpret_cast<uintptr_t>(memory);
  const auto skip = static_cast<int64_t>(-start & static_cast<uintptr_t>(huge_from - 1));
  if (skip > 0) ::munmap(memory, static_cast<size_t>(skip));
  if (skip < huge_from) ::munmap(memory + skip + total, static_cast<size_t>(huge_from - skip));
  ::madvise(memory + skip, static_cast<size_t>(total), MADV_HUGEPAGE);  // a hint; may fail
  return reinterpret_cast<Header*>(memory + skip);
}

}  // namespace

std::atomic<int64_t> thread_limit{thread_limit_for(int64_t{256} << 20)};

void start() noexcept { shared(); }

namespace {
// Done before any thread can be in its first allocation while another one forks: the child would wait for that
// allocation forever.
const bool ready_when_loaded = (start(), true);
}  // namespace

Header* take_small(const SizeClass& c) noexcept {
  Shared& pool = shared();
  std::lock_guard lock(pool.mutex_of(c.number));
  Header*& head = pool.lists[c.number];
  Header* h = head;
  if (!h) return nullptr;
  head = h->next;
  pool.cached.fetch_sub(c.total, std::memory_order_relaxed);
  return h;
}

void give_small(Header* h) noexcept {
  Shared& pool = shared();
  if (!reserve_cached(pool, h->total)) return give_to_system(h);
  const int c = size_class(h->total).number;
  std::lock_guard lock(pool.mutex_of(c));
  h->next = pool.lists[c];
  pool.lists[c] = h;
}

Header* fresh_small(int64_t total) noexcept {
  auto* h = static_cast<Header*>(std::aligned_alloc(64, static_cast<size_t>(total)));
  if (h) h->total = total;
  return h;
}

Header* take_large(int64_t wanted, bool* clean) noexcept {
  // Sizes are rounded up to one of eight between two powers of two, so that blocks are often reused, and to whole
  // pages.
  const int log = std::bit_width(static_cast<uint64_t>(wanted - 1));
  const int64_t step = std::max(int64_t{1} << std::max(log - 4, 0), int64_t{4096});
  const int64_t total = (wanted + step - 1) & ~(step - 1);
  Header* h = take_cached_large(shared(), total);
  *clean = !h;
  if (h) return h;
  h = map_large(total);
  if (h) h->total = total;
  return h;
}

void give_large(Header* h) noexcept {
  Shared& pool = shared();
  bool kept = false;
  // The second pass is needed if small blocks filled the pool: these are released, because they are cheaper to allocate
  // again.
  for (int attempt = 0; attempt < 2 && !kept && h->total <= pool.bound.load(std::memory_order_relaxed); ++attempt) {
    if (attempt > 0) trim_small(pool, h->total);
    Header* evicted = nullptr;
    kept = keep_large(pool, h, &evicted);
    give_all_to_system(evicted);
  }
  if (!kept) give_to_system(h);
}

int64_t cached_bytes() noexcept { return shared().cached.load(std::memory_order_relaxed); }
int64_t bound() noexcept { return shared().bound.load(); }

void set_bound(int64_t bytes) noexcept {
  Shared& pool = shared();
  pool.bound = std::max<int64_t>(bytes, 0);
  thread_limit = thread_limit_for(pool.bound);
  Header* evicted = nullptr;
  {
    std::lock_guard lock(pool.large_mutex);
    evicted = evict_locked(pool, 0);
  }
  give_all_to_system(evicted);
  trim_small(pool, 0);
}

void lock_shared() noexcept {
  Shared& pool = shared();
  for (std::mutex& m : pool.small_mutex) m.lock();
  pool.large_mutex.lock();
}
void unlock_shared() noexcept {
  Shared& pool = shared();
  pool.large_mutex.unlock();
  for (std::mutex& m : pool.small_mutex) m.unlock();
}

}  // namespace vr::runtime::pool
