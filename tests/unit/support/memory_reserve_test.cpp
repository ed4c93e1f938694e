// Running out of memory: the reserve, then the last resort; the program's own new-handler is not replaced.
#include "support/memory_reserve.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <thread>
#include <vector>

namespace vr {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers reserve address space themselves

size_t address_space() {
  size_t pages = 0;
  if (FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%zu", &pages) != 1) pages = 0;
    std::fclose(f);
  }
  return pages * 4096;
}

/// Runs `test` in a child with a limit of `more` additional bytes; its exit code, 0 for success.
template <class Test>
int with_little_memory(size_t more, Test test) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{address_space() + more, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
    _exit(test());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

constexpr size_t MiB = size_t{1} << 20;

/// Not a new-expression, which an optimiser may remove. Never freed: the child ends soon.
void take(size_t bytes) { *static_cast<volatile char*>(::operator new(bytes)) = 1; }

int jumped = 0;
[[noreturn]] void jump() {
  ++jumped;
  throw 7;  // stands for a jump: there is no frame in between
}

TEST(MemoryReserve, IsThereWhenMemoryRunsOut) {
  EXPECT_EQ(with_little_memory(100 * MiB, [] {
    MemoryReserve reserve;
    if (MemoryReserve::used()) return 1;
    take(90 * MiB);  // the remaining memory is too small
    if (!MemoryReserve::used()) return 2;
    try {
      MemoryReserve::check();
      return 3;
    } catch (const std::bad_alloc&) {}
    try {
      take(100 * MiB);
      return 4;
    } catch (const std::bad_alloc&) {}
    LastResort last(jump);
    try {
      take(100 * MiB);
      return 5;
    } catch (int) {}
    return jumped == 1 ? 0 : 6;
  }), 0);
}

TEST(MemoryReserve, ThatCannotBeSetAsideIsAnError) {
  EXPECT_EQ(with_little_memory(1 * MiB, [] {
    try {
      MemoryReserve reserve;
      return 1;
    } catch (const std::bad_alloc&) {}
    MemoryReserve weak(false);
    return MemoryReserve::used() ? 2 : 0;
  }), 0);
}

int own_calls = 0;
void own_handler() {
  ++own_calls;
  throw std::bad_alloc();
}

TEST(MemoryReserve, LeavesTheProgramItsHandler) {
  EXPECT_EQ(with_little_memory(40 * MiB, [] {
    std::set_new_handler(own_handler);
    {
      MemoryReserve reserve;
      MemoryReserve nested;
      if (std::get_new_handler() == own_handler) return 1;
      // A thread without a reserve.
      int caught = 0;
      std::thread([&] {
        try {
          take(100 * MiB);
        } catch (const std::bad_alloc&) {
          ++caught;
        }
      }).join();
      if (caught != 1 || own_calls != 1 || MemoryReserve::used()) return 2;
    }
    return std::get_new_handler() == own_handler ? 0 : 3;
  }), 0);
}

#endif

TEST(MemoryReserve, IsNoneWithoutOne) { EXPECT_FALSE(MemoryReserve::used()); }

}  // namespace
}  // namespace vr
