// A host that checks the engine's use of it: its arrays are adjacent to protected pages, it counts every object and every
// reference, and it has a lock that it checks. Tests run programs on it (`vrir run --host guard`).
#pragma once
#include <velociraptor/engine.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vr::tool {

/// Thread-safe like every host.
class GuardHost {
 public:
  GuardHost();
  ~GuardHost();
  GuardHost(const GuardHost&) = delete;
  GuardHost& operator=(const GuardHost&) = delete;

  /// The binding for engines; this object must outlive them. Tests replace single functions of it to check that errors
  /// are noticed.
  HostBinding binding();

  struct Answer {
    Result<std::vector<Value>> results = std::vector<Value>();  ///< arrays are copies
    std::string
        wrong;  ///< a line per broken promise; empty: all objects, references, blocks and locks are accounted for
  };
  /// Calls a function of an engine on this host twice: with arrays that end exactly before a protected page, and with
  /// arrays that begin exactly after one. Arrays are passed as objects of the host with the same strides (an array that is given
  /// twice is one object), and their elements are copied back to `args` at the end; the first call's results are returned.
  /// Checks after each call that every object and every block of the engine's pool made by it has been freed. Only one call at
  /// a time in the process: blocks that other threads allocate meanwhile would be reported as leaks.
  Answer call(const Function& f, std::span<const Value> args);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vr::tool
