// Bounds checks as integer programs (thesis 6.6.1-6.6.4): the loops' bounds (6.1, 6.2), the subscript (6.3), and the
// assumption that it is out of bounds (6.4, 6.5). If there is no solution the check never fails.
#pragma once
#include "analysis/shape_inference.hpp"

namespace vr::analysis {

using LoopTable = std::map<LoopVariable, IterationBounds>;

/// Whether n >= limit (n <= limit) in all iterations, given the loops' bounds.
bool at_least(const Number& n, int64_t limit, const LoopTable& loops, IntegerPrograms& programs);
bool at_most(const Number& n, int64_t limit, const LoopTable& loops, IntegerPrograms& programs);

/// Whether no accessed position is below the base, or past the end.
bool never_below(const SubscriptAccess& a, int64_t base, const LoopTable& loops, IntegerPrograms& programs);
bool never_above(const SubscriptAccess& a, int64_t base, const LoopTable& loops, IntegerPrograms& programs);

}  // namespace vr::analysis
