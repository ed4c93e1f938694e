// Along which of its dimensions a kernel's accesses have unit stride.
#pragma once
#include "loop/exprs.hpp"

#include <vector>

namespace vr::lower {

/// For each dimension of the kernel, how often neighbouring points access neighbouring elements: each load and store of
/// the text whose address grows by one element along it counts one, and more in a loop that each work-item runs.
std::vector<int64_t> unit_stride_accesses(Exprs& x, const Function& kernel);

/// Whether the Int64 expression is a dimension of the kernel, plus or minus what is the same for all points, or a constant
/// where that is below it. The statements of `before` define variables that it may name.
bool is_unit_of_a_dim(Exprs& x, const Function& kernel, const Block& before, ExprP e);

}  // namespace vr::lower
