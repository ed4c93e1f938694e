// Memory that runs out while code of others is at work which cannot be unwound (LLVM is built without exceptions: a
// std::bad_alloc that passes through it skips its destructors and leaves its locks taken).
#pragma once
#include <cstddef>

namespace vr {

/// While one lives, `operator new` of this thread that finds no memory is given a block that was set aside, so that the
/// work can go on to a place where it is sound to stop: who works in steps asks used() between them, and stops then.
/// When that is used up as well, the thread's last resort (below) is called. May be nested; the outermost counts.
/// It works through std::set_new_handler: the program's own handler is back when no thread has a reserve any more, and
/// is called for threads without one meanwhile.
class MemoryReserve {
 public:
  /// Throws std::bad_alloc when there is no memory to set aside and it is `required`.
  explicit MemoryReserve(bool required = true);
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// Whether this thread's reserve had to be touched.
  static bool used();
  /// Throws std::bad_alloc when it was: for code that can be unwound, between two steps.
  static void check();

 private:
  bool outermost_;
};

/// What an allocation on this thread does that finds neither memory nor a reserve, while the object lives: `jump`, which
/// does not return. Without one std::bad_alloc is thrown.
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
