// blocks: rows of a work-group's iterations, and tables, are in local memory while the group runs.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Launches of kernels of disjoint arrays get other forms of the kernel (Function::rows, without a team) in which each
/// work-group first copies to local memory the rows of which its iterations use every element, and the tables from
/// which they load at subscripts that depend on elements, and in the end stores the rows that the iterations have
/// written. Only on devices with local memory (PassOptions::local_bytes). Results are the same to the bit.
void blocks(Module& m, const PassOptions& options);

}  // namespace vr::lower
