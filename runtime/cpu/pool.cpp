#include "runtime/cpu/pool.hpp"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "runtime/cpu/pool_shared.hpp"

namespace vr::runtime {

namespace pool {

namespace {

// a thread caches blocks up to this size: enough for 64 KiB of elements
constexpr int64_t thread_block = int64_t{80} << 10;

/// Written by one thread and read by any thread: this needs no locked instruction in each allocation.
class Count {
 public:
  void add(int64_t n) { value_.store(get() + n, std::memory_order_relaxed); }
  int64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

/// The free blocks of one thread, including blocks of other threads that it freed; surplus blocks go to the shared
/// lists.
struct ThreadCache {
  Header* lists[class_count] = {};
  int64_t bytes = 0;
  Count live, reused, fresh;
  ThreadCache* next = nullptr;  // the next one in the list of all caches
  ThreadCache* previous = nullptr;

  void drain() {
    for (Header*& head : lists) {
      while (Header* h = head) {
        head = h->next;
        give_small(h);
      }
    }
    bytes = 0;
  }
};

/// All caches, and the counters of threads that have no cache, or no longer have one.
struct Registry {
  std::mutex mutex;
  ThreadCache* first = nullptr;
  std::atomic<int64_t> live{0}, reused{0}, fresh{0};

  void fold(const ThreadCache& c) {
    live.fetch_add(c.live.get(), std::memory_order_relaxed);
    reused.fetch_add(c.reused.get(), std::memory_order_relaxed);
    fresh.fetch_add(c.fresh.get(), std::memory_order_relaxed);
  }
};
Registry& registry() {
  static Registry* r = new Registry;
  return *r;
}

// initialised when the library is loaded, as in pool_shared.cpp
[[maybe_unused]] const Registry& registry_at_start = registry();

/// This thread's cache; null before the first allocation, if there was no memory for one, and while the thread ends. In
/// static TLS, so that a shared library accesses it without a call. Not if the library contains a static OpenBLAS,
/// whose 60 KB of thread storage would have to be static TLS too: a process has little of it for libraries that are
/// loaded late.
#ifndef VR_STATIC_DEPENDENCIES
[[gnu::tls_model("initial-exec")]]
#endif
thread_local ThreadCache* current = nullptr;
thread_local bool ended = false;  // trivially destructible: still readable in destructors that run late

/// Ends the cache with its thread. The cache itself is on the heap, because a forked child reuses the stacks and
/// thread storage of threads that exist only in the parent.
struct CacheEnd {
  bool armed = false;
  ~CacheEnd() {
    ended = true;
    ThreadCache* cache = current;
    if (!cache) return;
    current = nullptr;
    cache->drain();
    {
      Registry& r = registry();
      std::lock_guard lock(r.mutex);
      r.fold(*cache);
      (cache->previous ? cache->previous->next : r.first) = cache->next;
      if (cache->next) cache->next->previous = cache->previous;
    }
    delete cache;
  }
};

ThreadCache* make_cache() {
  if (ended) return nullptr;
  start();
  auto* cache = new (std::nothrow) ThreadCache;
  if (!cache) return nullptr;
  Registry& r = registry();
  {
    std::lock_guard lock(r.mutex);
    cache->next = r.first;
    if (r.first) r.first->previous = cache;
    r.first = cache;
  }
  thread_local CacheEnd end;
  end.armed = true;  // constructs the object, so that its destructor will run
  return current = cache;
}

void count_allocation(ThreadCache* cache, bool reused) {
  if (cache) {
    cache->live.add(1);
    (reused ? cache->reused : cache->fresh).add(1);
    return;
  }
  Registry& r = registry();
  r.live.fetch_add(1, std::memory_order_relaxed);
  (reused ? r.reused : r.fresh).fetch_add(1, std::memory_order_relaxed);
}

/// Requests that this thread's cache cannot serve.
[[gnu::noinline]] void* allocate_slow(int64_t bytes, bool zeroed) noexcept {
  if (bytes < 0 || bytes > INT64_MAX / 2) return nullptr;
  ThreadCache* cache = current ? current : make_cache();
  const int64_t total = bytes + beside_bytes;
  const SizeClass c = size_class(std::min(total, large_from));
  Header* h = nullptr;
  bool clean = false, reused = false;
  if (c.total < large_from) {
    h = take_small(c);
    reused = h != nullptr;
    if (!h) h = fresh_small(c.total);
  } else {
    h = take_large(std::max(total, large_from), &clean);
    reused = !clean;
  }
  if (!h) return nullptr;
  count_allocation(cache, reused);
  allow(h, bytes);
  void* block = block_of(h);
  if (zeroed && !clean) std::memset(block, 0, static_cast<size_t>(bytes));
  return block;
}

[[gnu::noinline]] void free_slow(Header* h) noexcept {
  ThreadCache* cache = current ? current : make_cache();
  if (cache) {
    cache->live.add(-1);
  } else {
    registry().live.fetch_sub(1, std::memory_order_relaxed);
  }
  if (h->total >= large_from) return give_large(h);
  // The cache is full, perhaps of sizes that are no longer in use: its contents are released.
  if (cache && h->total <= thread_block && cache->bytes > 0) cache->drain();
  give_small(h);
}

}  // namespace

void before_fork() noexcept {
  registry().mutex.lock();
  lock_shared();
}

void after_fork(bool child) noexcept {
  unlock_shared();
  Registry& r = registry();
  if (child) {
    // Threads that exist only in the parent: their counters are kept; their free lists may be inconsistent and are abandoned.
    for (ThreadCache* c = r.first; c; c = c->next)
      if (c != current) r.fold(*c);
    r.first = current;
    if (current) current->next = current->previous = nullptr;
  }
  r.mutex.unlock();
}

}  // namespace pool

using namespace pool;

void* pool_allocate(int64_t bytes, bool zeroed) noexcept {
  ThreadCache* cache = current;
  if (!cache || static_cast<uint64_t>(bytes) > static_cast<uint64_t>(thread_block - beside_bytes)) [[unlikely]] {
    return allocate_slow(bytes, zeroed);
  }
  const SizeClass c = size_class(bytes + beside_bytes);
  Header* h = cache->lists[c.number];
  if (!h) [[unlikely]]
    return allocate_slow(bytes, zeroed);
  cache->lists[c.number] = h->next;
  cache->bytes -= c.total;
  cache->live.add(1);
  cache->reused.add(1);
  allow(h, bytes);
  void* block = block_of(h);
  if (zeroed) std::memset(block, 0, static_cast<size_t>(bytes));
  return block;
}

void pool_free(void* block) noexcept {
  if (!block) return;
  Header* h = header_of(block);
  allow(h, 0);
  ThreadCache* cache = current;
  if (!cache || h->total > thread_block || cache->bytes + h->total > thread_limit.load(std::memory_order_relaxed))
      [[unlikely]] {
    return free_slow(h);
  }
  Header*& head = cache->lists[size_class(h->total).number];
  h->next = head;
  head = h;
  cache->bytes += h->total;
  cache->live.add(-1);
}

int64_t pool_capacity(const void* block) noexcept { return header_of(block)->total - beside_bytes; }

void pool_use(void* block, int64_t bytes) noexcept { allow(header_of(block), bytes); }

void* pool_room(void* block) noexcept { return header_of(block)->room; }

PoolStats pool_stats() noexcept {
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  PoolStats stats;
  stats.live_blocks = r.live.load(std::memory_order_relaxed);
  stats.reused = r.reused.load(std::memory_order_relaxed);
  stats.fresh = r.fresh.load(std::memory_order_relaxed);
  for (const ThreadCache* c = r.first; c; c = c->next) {
    stats.live_blocks += c->live.get();
    stats.reused += c->reused.get();
    stats.fresh += c->fresh.get();
  }
  stats.cached_bytes = cached_bytes();
  return stats;
}

void pool_set_bound(int64_t bytes) noexcept {
  set_bound(bytes);
  if (current) {
    current->drain();
    set_bound(bytes);
  }
}

int64_t pool_bound() noexcept { return bound(); }

}  // namespace vr::runtime
