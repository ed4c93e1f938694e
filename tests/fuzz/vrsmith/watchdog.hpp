// Distinguishes a child process that hangs from one that gets no processor time on a busy machine.
#pragma once
#include <sys/types.h>

#include <chrono>

namespace vr::smith {

/// A process hangs when it uses `seconds` of CPU time between two signs of life, or when for `seconds` none of its
/// threads, and none of the processes that it started, is runnable. Time in which one of them waits for a processor
/// does not count. Linux only (/proc).
class Watchdog {
 public:
  Watchdog(pid_t process, int seconds);
  /// Call this at each sign of life.
  void alive();
  /// Call this about once a second.
  bool hangs();

 private:
  using Clock = std::chrono::steady_clock;
  pid_t process_;
  int seconds_;
  double computed_ = 0;            ///< CPU seconds at the last sign of life
  Clock::time_point last_active_;  ///< when a thread was last seen to have work
};

}  // namespace vr::smith
