// Signals while compiled code runs. CPython records them and runs their handlers when its main thread checks for them; compiled
// code does so through this module (HostBinding::interrupt).
#pragma once
#include <velociraptor/binding.hpp>

#include "python.hpp"

namespace pyraptor {

/// The binding of PyRaptor's engines: vr::Array's, with interrupts.
const vr::HostBinding& binding();

/// While it lives the calling thread runs compiled code that may take long. In Python's main thread a timer then makes the code
/// check every 50 ms for signals: their handlers run under the GIL, and the code goes on unless one raises an exception.
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
