// Local memory of kernels whose work-items share iterations (Function::cooperative), and groups of one size.
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

/// Bytes of local memory for the states of one variable of a reduction, one for each work-item of a group.
constexpr int32_t state_bytes = 8 * cooperative_group;
/// Bytes of local memory, at its beginning, through which the work-items of a group join the states of the kernel's
/// reductions: those of the variables of the largest.
int32_t joined_bytes(const Function& kernel);
/// The work-items along dims[0] of a group of a kernel without a team that needs groups of one size: Function::group,
/// or that of a kernel with blocks (has_blocks) that has rows of its iterations; 0: any number.
int32_t fixed_group(const Function& kernel);
/// Whether the groups of a kernel without a team add to slices of arrays (RowAt::offset), one for each value of the
/// kernel's last dimension.
bool adds_to_slices(const Function& kernel);

}  // namespace vr::lower
