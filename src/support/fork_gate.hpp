// fork() waits for compiles: a child forked in the middle of one would find LLVM's locks, and ours, held by threads that do not
// exist in it.
#pragma once

namespace vr {

/// While an object exists, no fork() begins in another thread. May be nested; must not wait for a thread that needs one, too.
class NoForkNow {
 public:
  NoForkNow();
  ~NoForkNow();
  NoForkNow(const NoForkNow&) = delete;
  NoForkNow& operator=(const NoForkNow&) = delete;
  /// The number of NoForkNow objects on this thread.
  static int depth();
};

/// For a thread that another one waits for: extends that one's NoForkNow (of this depth) to this thread.
class WaitedForNoFork {
 public:
  explicit WaitedForNoFork(int depth);
  ~WaitedForNoFork();
  WaitedForNoFork(const WaitedForNoFork&) = delete;
  WaitedForNoFork& operator=(const WaitedForNoFork&) = delete;
};

}  // namespace vr
