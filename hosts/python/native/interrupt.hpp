// Signals while compiled code runs. CPython records signals, and runs their handlers when its main thread checks for
// them. Compiled code makes these checks through this module (HostBinding::interrupt).
#pragma once
#include <velociraptor/binding.hpp>

#include <unistd.h>

#include <atomic>

#include "python.hpp"

namespace pyraptor {

/// The binding of PyRaptor's engines: vr::Array's, with interrupts.
const vr::HostBinding& binding();

/// Ends the compiled calls of a pipeline's threads. It lives longer than these threads.
class Stopper {
 public:
  Stopper() : process_(getpid()) {}
  ~Stopper();
  Stopper(const Stopper&) = delete;
  Stopper& operator=(const Stopper&) = delete;
  /// Calls on guarded threads end with fault INTERRUPTED, those in progress within a tick or two of 50 ms. Thread-safe.
  void stop();
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// Until it ends, the calling thread belongs to this Stopper.
  void guard_this_thread() const;

 private:
  const pid_t process_;  ///< a forked child has no such threads
  std::atomic<bool> stopped_{false};
};

/// Marks the time in which the calling thread runs compiled code that may run for long. In Python's main thread, a
/// timer then makes the code check for signals every 50 ms. Their handlers run under the GIL; the code continues unless
/// a handler raises an exception.
class Interruptible {
 public:
  explicit Interruptible(bool yes);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  const bool counted_;
};

/// Determines the main thread. False with a Python exception.
bool find_main_thread();

/// Adds the function stopper() to the module: an object with stop() and guard(), for a Stopper. False with a Python
/// exception.
bool add_stopper(PyObject* module);

}  // namespace pyraptor
