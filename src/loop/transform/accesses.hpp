// accesses: notes which elements kernels access.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Fills Function::accesses of all kernels (analysis/footprint.hpp), before transformations that make their accesses harder to
/// read: vectors, unrolled loops, several iterations in a work-item. Changes nothing else.
void accesses(Module& m, const PassOptions& options);

}  // namespace vr::lower
