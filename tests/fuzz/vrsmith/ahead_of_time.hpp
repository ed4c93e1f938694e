// A program as a library that was compiled ahead of time (src/aot), called through its C functions.
#pragma once
#include "program.hpp"

#include <vector>

namespace vr::smith {

/// Builds the entry as an object, or as C that the system's compiler compiles without warnings, loads it and calls it with the
/// inputs, which it may change. Errors of aot::build and of the compiler have no record, faults of the program do.
Result<std::vector<Value>> call_ahead_of_time(const Program& p, const ir::Conventions& conventions, bool c,
                                              const std::vector<Value>& inputs);

}  // namespace vr::smith
