// A lock for critical sections of a few instructions, which is open in a forked child (private to src/engine).
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace vr::engine {

int64_t process_generation();

/// Meets Lockable. If a thread of the parent held the lock at fork(), the child can take it all the same; so the guarded data must be
/// consistent between any two writes, or be written with NoForkNow.
class ForkLock {
 public:
  void lock() {
    const int64_t mine = process_generation() + 1;
    int64_t holder = 0;
    while (!holder_.compare_exchange_weak(holder, mine, std::memory_order_acquire, std::memory_order_relaxed)) {
      if (holder == mine) {
        std::this_thread::yield();
        holder = 0;
      }
    }
  }
  void unlock() { holder_.store(0, std::memory_order_release); }

 private:
  std::atomic<int64_t> holder_{0};  ///< 0: open, else the generation + 1 of the process that holds it
};

}  // namespace vr::engine
