// Signals while compiled code runs. CPython records signals, and runs their handlers when its main thread checks for
// them. Compiled code makes these checks through this module (HostBinding::interrupt).
#pragma once
#include <velociraptor/binding.hpp>

#include "python.hpp"

namespace pyraptor {

/// The binding of PyRaptor's engines: vr::Array's, with interrupts.
const vr::HostBinding& binding();

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

}  // namespace pyraptor
