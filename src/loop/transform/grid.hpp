// Parallel loops inside of kernels.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels whose arrays are disjoint, with parallel loops at the top of their bodies, become kernels of more dimensions
/// (jit4OpenCL IV-C): one for each such loop, and one for what stands between them (distribution, IV-C "imperfect nests").
/// A loop whose bounds depend on one dimension of the kernel (a triangle) is run over the smallest box; work-items outside
/// of the loop's bounds do nothing. Then the dimension along which most accesses have unit stride runs over consecutive
/// work-items. Where the host finds that sizes do not allow it, the kernel runs as it was.
/// Left as they are: loops whose number of iterations the host cannot bound (by reading arrays, say), more than three
/// dimensions, bodies whose parts share computed numbers, or that check something beside the loop.
void grid(Module& m, const PassOptions& options);

}  // namespace vr::lower
