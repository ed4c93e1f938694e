// grid: parallel loops inside kernels become dimensions of the kernels.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels whose arrays are disjoint, with parallel loops at the top level of their bodies, become kernels of more dimensions
/// (jit4OpenCL IV-C): one for each such loop, and one for the statements between them (distribution, IV-C "imperfect nests").
/// For a loop whose bounds depend on one dimension of the kernel (a triangle) the launch covers the bounding box; work-items
/// outside the loop's bounds do nothing. Then the dimension along which most accesses have unit stride becomes the one that
/// runs over consecutive work-items. If the host finds that the sizes do not allow it, the original kernel runs.
/// Not changed: loops whose trip count the host cannot bound (it depends on array elements, say), kernels that would have more
/// than three dimensions, bodies whose parts share scalars that cannot be kept, or that contain checks beside the loop.
void grid(Module& m, const PassOptions& options);

}  // namespace vr::lower
