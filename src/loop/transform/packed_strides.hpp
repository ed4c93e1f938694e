// packed_strides: kernels for arrays whose short rows follow each other in memory.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A kernel without loops that uses elements 0 to k - 1 of short rows (the colours of a pixel, the coordinates of a
/// point), whose distance from each other is not known, gets a form in which it is the size of k elements; the host
/// compares strides. Only sizes that `vectors` cannot handle without: those that are no power of two, below 20 bytes.
/// Only for devices that benefit from vectors (PassOptions::lanes).
void packed_strides(Module& m, const PassOptions& options);

}  // namespace vr::lower
