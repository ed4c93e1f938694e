// fork() waits for compiles: a child that began in the middle of one would find LLVM's locks, and ours, taken by threads
// that it does not have.
#pragma once

namespace vr {

/// While one lives, no fork() begins in another thread. May be nested; must not wait for a thread that wants one too.
class NoForkNow {
 public:
  NoForkNow();
  ~NoForkNow();
  NoForkNow(const NoForkNow&) = delete;
  NoForkNow& operator=(const NoForkNow&) = delete;
  /// How many live on this thread.
  static int depth();
};

/// Extends the NoForkNow of a thread that waits for this one (its depth) to this one.
class WaitedForNoFork {
 public:
  explicit WaitedForNoFork(int depth);
  ~WaitedForNoFork();
  WaitedForNoFork(const WaitedForNoFork&) = delete;
  WaitedForNoFork& operator=(const WaitedForNoFork&) = delete;
};

}  // namespace vr
