// Fourier transforms as tasks of a section (runtime/gpu/library/fft.hpp).
#pragma once
#include "runtime/gpu/library/lines.hpp"
#include "runtime/gpu/routine.hpp"
#include "runtime/gpu/temporaries.hpp"

namespace vr::gpu {

/// Transforms the lines of `from` and multiplies the results by `factor`. The first n_from elements of each line are
/// read; zeros follow. Every element of `to`, which is complex and does not overlap it, is written. Throws Refused if
/// this device cannot do it, device::Failure, std::bad_alloc.
void fft_on_device(Section& section, Shared& shared, Temporaries& temporaries, const Lines& lines, int64_t n_from,
                   bool inverse, double factor, const vr_array& from, const vr_array& to);

}  // namespace vr::gpu
