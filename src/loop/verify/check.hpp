// check: is a lowered module well formed? Guards the backends against bugs of lowering and against hand-made modules.
#pragma once
#include "loop/form.hpp"

#include <string>

namespace vr::lower {

/// The first violation found ("function f: ..."), or an empty string. Checks every id (variables, arrays, sites, functions), the
/// types of all operands, the arguments of calls against runtime/abi.def, and that jumps are where they are allowed. Linear in the
/// size of the module; expressions and blocks nested deeper than the backends can recurse are violations, too.
enum class Level { Loops, Lowered };  ///< with subscripts or without (linearise.hpp)
std::string check(const Module& m, Level level = Level::Lowered);

}  // namespace vr::lower
