// expand_arrays: arrays of a work-item's own become arrays with a row for each iteration (array expansion).
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// A kernel whose iterations fill an array of their own (Scratch) in a loop with loops inside (the scores of an
/// attention layer, a row of a product) gets a form in which these arrays are rows of one array on the device. The
/// loops that fill and use the rows then have independent iterations, and `grid` makes kernels of them; one that also
/// accumulates what it has stored is split in two (loop fission). Results are equal to the bit. Kernels without faults
/// whose arrays are disjoint, on devices with tiles (PassOptions::tiles), if the rows take at most 256 MiB; the host
/// decides.
void expand_arrays(Module& m, const PassOptions& options);

}  // namespace vr::lower
