// Functions that Octave runs for compiled code (matlab::HostCall): functions that print, whose output is recorded and
// written after the call has succeeded, and functions on text.
#pragma once
#include "compile.hpp"

#include <velociraptor/engine.hpp>

#include <string>

namespace vr::octave_host {

/// Binds the functions that a module declares, before it is loaded.
Status bind_host_calls(const Engine& engine, const matlab::Compiled& compiled);

/// Keeps what compiled code prints while the object exists; the innermost one gets it. Used by one thread, Octave's.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  static Recording* current();
  std::string text;

 private:
  Recording* outer_;
};

/// Output of a call beyond this many bytes is left to the interpreter.
constexpr size_t kMostOutput = size_t{64} << 20;

}  // namespace vr::octave_host
