// single_values: variables of kernels that are assigned several times become several variables.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A value that nothing needs behind the block in which it is assigned gets a variable of its own (renaming of webs:
/// Muchnick, Advanced Compiler Design and Implementation, 16.3.3, restricted to single assignments whose uses follow in
/// the same block): analyses know variables that are assigned once. Kernels only. Not changed: loop variables,
/// variables that the next iteration or a later statement may read, and blocks that are left by a jump.
void single_values(Module& m, const PassOptions& options);

}  // namespace vr::lower
