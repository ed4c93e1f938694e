// Memory exhaustion in foreign code that cannot be unwound (LLVM is built without exceptions: a std::bad_alloc that propagates
// through it skips destructors and leaves locks held).
#pragma once
#include <cstddef>

namespace vr {

/// While an object exists, an `operator new` of this thread that finds no memory gets a block that was set aside, so that the
/// work can continue to a point where it can stop safely: code that works in steps tests used() between them, and stops then.
/// When the reserve is exhausted as well, the thread's last resort (below) is called. May be nested; the outermost counts.
/// It works through std::set_new_handler: the program's own handler is called for threads without a reserve, and is restored
/// when no thread has a reserve any more.
class MemoryReserve {
 public:
  /// Throws std::bad_alloc if there is no memory to set aside and the reserve is `required`.
  explicit MemoryReserve(bool required = true);
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// Whether this thread's reserve was used.
  static bool used();
  /// Throws std::bad_alloc if it was: for code that can be unwound, between two steps.
  static void check();

 private:
  bool outermost_;
};

/// While the object exists, an allocation on this thread that finds neither memory nor a reserve calls `jump`, which does not
/// return. Without such an object std::bad_alloc is thrown.
class LastResort {
 public:
  explicit LastResort(void (*jump)());
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

 private:
  void (*before_)();
};

}  // namespace vr
