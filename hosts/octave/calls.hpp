// Functions that Octave runs for compiled code (matlab::HostCall): functions that print, whose output is recorded and
// written after the call has succeeded, and functions on text.
#pragma once
#include "compile.hpp"

#include <velociraptor/engine.hpp>

#include <octave/oct.h>

#include <memory>
#include <string>

namespace vr::octave_host {

class Program;

/// Binds the functions that a module declares, before it is loaded. The program says what names in handles refer to.
Status bind_host_calls(const Engine& engine, const matlab::Compiled& compiled, const Program& program);

/// Keeps what compiled code prints while the object exists; the innermost one gets it. Used by one thread, Octave's.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  static Recording* current();
  std::string text;

  /// Random numbers that Octave gives compiled code: `draw` calls the function and remembers the generators' states
  /// before the first of them; `set_back` restores these, for a call that the interpreter runs again.
  octave_value draw(const std::string& function, const octave_value_list& args);
  void set_back();

 private:
  struct Generators;
  std::shared_ptr<Generators> before_;
  Recording* outer_;
};

/// Output of a call beyond this many bytes is left to the interpreter.
constexpr size_t kMostOutput = size_t{64} << 20;

}  // namespace vr::octave_host
