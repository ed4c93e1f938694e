#include "support/memory_reserve.hpp"

#include "support/fork_gate.hpp"

#include <sys/mman.h>

#include <atomic>
#include <mutex>
#include <new>

namespace vr {

namespace {

// More than a pass of LLVM needs for a function of some thousand statements.
constexpr size_t reserve_bytes = size_t{16} << 20;

struct Reserve {
  void* block = nullptr;
  bool used = false;
};
thread_local Reserve reserve;
thread_local int scopes = 0;
thread_local void (*last_resort)() = nullptr;

// The handler that was installed before this one; null counts as one that throws.
std::atomic<std::new_handler> handler_before{nullptr};

void on_no_memory() {
  if (reserve.block) {
    munmap(reserve.block, reserve_bytes);
    reserve.block = nullptr;
    reserve.used = true;
    return;
  }
  if (scopes > 0 && last_resort) last_resort();
  if (std::new_handler before = handler_before.load()) return before();
  throw std::bad_alloc();
}

struct Handlers {
  std::mutex mutex;
  int threads = 0;  ///< with a reserve
};
/// Never destroyed: threads may compile while the process ends.
Handlers& handlers() {
  static Handlers& h = *new Handlers;
  return h;
}

/// Held with NoForkNow: a child that is forked while another thread holds the mutex would wait for ever.
void arrive() {
  const NoForkNow no_fork;
  Handlers& h = handlers();
  std::lock_guard lock(h.mutex);
  ++h.threads;
  // A handler that the program installs meanwhile is called after this one, and is kept.
  if (std::new_handler now = std::get_new_handler(); now != on_no_memory) {
    handler_before = now;
    std::set_new_handler(on_no_memory);
  }
}
void depart() {
  const NoForkNow no_fork;
  Handlers& h = handlers();
  std::lock_guard lock(h.mutex);
  if (--h.threads == 0 && std::get_new_handler() == on_no_memory) std::set_new_handler(handler_before.exchange(nullptr));
}

}  // namespace

MemoryReserve::MemoryReserve(bool required) : outermost_(scopes == 0) {
  if (!outermost_) {
    ++scopes;
    return;
  }
  // The pages are not touched, so that only address space is used.
  void* block = mmap(nullptr, reserve_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED && required) throw std::bad_alloc();
  reserve = {block == MAP_FAILED ? nullptr : block, false};
  ++scopes;
  arrive();
}

MemoryReserve::~MemoryReserve() {
  --scopes;
  if (!outermost_) return;
  depart();
  if (reserve.block) munmap(reserve.block, reserve_bytes);
  reserve = {};
}

bool MemoryReserve::used() { return reserve.used; }
void MemoryReserve::check() {
  if (reserve.used) throw std::bad_alloc();
}

LastResort::LastResort(void (*jump)()) : before_(last_resort) { last_resort = jump; }
LastResort::~LastResort() { last_resort = before_; }

}  // namespace vr
