// Prevents overflow of the native stack by the interpreter's recursion: when the current stack is nearly used up, the
// work continues on a new one.
#pragma once
#include <cstddef>
#include <functional>

namespace vr::interp {

class NativeStack {
 public:
  NativeStack();  ///< of the calling thread
  /// Whether less than the reserved bytes are left.
  bool low() const { return static_cast<char*>(__builtin_frame_address(0)) < limit_; }
  /// Runs f on a new stack (a new thread for which the caller waits) and propagates its exceptions. Throws the Fault STACK if no
  /// further stack can be created.
  void on_new_stack(const std::function<void()>& f);

 private:
  char* limit_;
  int segments_ = 0;
};

}  // namespace vr::interp
