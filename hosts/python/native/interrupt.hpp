// Signals while compiled code runs. CPython notes them, and runs their handlers when its main thread asks; compiled code asks
// through here (HostBinding::interrupt).
#pragma once
#include <velociraptor/binding.hpp>

#include "python.hpp"

namespace pyraptor {

/// The binding of PyRaptor's engines: vr::Array's, with interrupts.
const vr::HostBinding& binding();

/// While it lives the calling thread runs compiled code that may take long. In Python's main thread a clock then lets the
/// code ask every 50 ms whether a signal has come: its handler runs under the GIL, and the code goes on unless that raises.
class Interruptible {
 public:
  explicit Interruptible(bool yes);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  const bool counted_;
};

/// Who the main thread is. False with a Python exception.
bool find_main_thread();

}  // namespace pyraptor
