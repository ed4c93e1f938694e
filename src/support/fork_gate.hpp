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
};

}  // namespace vr
