// Integer arithmetic that saturates or reports overflow (private to src/lower).
#pragma once
#include "lower/elementwise.hpp"

namespace vr::lower {

/// add_sat, abs_check, cast_sat ... of real operands; `elem` is the type in which an operation of two is computed,
/// `stated` the type that casts convert to.
ScalarValue overflow_map(Emitter& out, ir::LibMap fn, const std::vector<ScalarValue>& args, ir::Elem elem,
                         const ir::Type& stated);

}  // namespace vr::lower
