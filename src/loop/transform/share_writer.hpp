// Writes kernels of which a group's members run each iteration (private to src/loop).
#pragma once
#include "loop/analysis/shared_loops.hpp"
#include "loop/analysis/shared_sizes.hpp"

#include <cstdint>
#include <vector>

namespace vr::lower {

/// The members of a group, and how many of them are a row.
struct ShareShape {
  int32_t members, row;
  int32_t rows() const { return members / row; }
};

/// The most bytes of local memory of a box whose size is not a constant.
constexpr int64_t most_box_bytes = 16384;

/// The number of elements of a box, if it is a constant.
std::optional<int64_t> constant_elements(const OwnBox& box);

/// A version of the kernel that runs tiles of one iteration (TileOf::members). Its parameters are those of the kernel,
/// the count of iterations, and for each of `boxes`, whose elements the group keeps in local memory, the first
/// subscript and the number of subscripts of each axis, of those that are no constants.
Function share_version(Exprs& x, const Function& plain, const std::vector<SharePlan>& plans, const ShareShape& shape,
                       const SharedSizes& sizes, const std::vector<OwnBox>& boxes);

}  // namespace vr::lower
