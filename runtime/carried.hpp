// Reduction kernels that run in parts: what generated text and the runtime agree on.
#pragma once

namespace vr {

/// Build option of a reduction kernel that runs in parts (codegen/opencl/fold_writer.hpp). Such a kernel has three more
/// parameters: a buffer for what each work-item has accumulated, the part's first iteration along the outermost
/// dimension, and whether there are more parts.
inline constexpr char carried_option[] = "-DVR_CARRIED";
/// In a domain of one dimension, parts begin at multiples of so many iterations for each work-item of a group.
inline constexpr int carried_iterations = 8;

}  // namespace vr
