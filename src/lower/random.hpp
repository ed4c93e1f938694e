// Random numbers of counter-based streams (private to src/lower).
#pragma once
#include "ir/library.hpp"
#include "lower/emitter.hpp"

#include <vector>

namespace vr::lower {

/// A function of LibSort::Random on scalar arguments.
ScalarValue random_number(Emitter& out, ir::LibMap fn, const std::vector<ScalarValue>& args);

}  // namespace vr::lower
