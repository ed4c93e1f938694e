// The result or fault of a call on one target, and whether two targets agree: for `vrir run` and `vrir bench`.
#pragma once
#include "tool/run.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace vr::tool {

using Clock = std::chrono::steady_clock;
inline double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// One target's outcome: results or the fault.
struct Answer {
  std::vector<Value> results;
  std::optional<Error> error;
};

/// Calls the function with copies of the arguments, because functions may write to them (`:assign share`). `ms`, if not
/// null, gets the time of the call without that of the copies.
Answer call_once(const Loaded& loaded, const Function& f, const std::vector<Value>& args, double* ms);

/// Describes the first difference between two targets; empty if they agree. rtol: relative tolerance for numbers; 0:
/// the default of each element type. Faults agree if code, function, source location and subscript are the same.
std::string disagreement(const Answer& a, const Answer& b, double rtol);

}  // namespace vr::tool
