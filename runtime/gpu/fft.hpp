// Fourier transforms as tasks of a section (runtime/gpu/library/fft.hpp).
#pragma once
#include "runtime/gpu/library/lines.hpp"
#include "runtime/gpu/routine.hpp"
#include "runtime/gpu/temporaries.hpp"

namespace vr::gpu {

/// A transform of `length` elements: its kind (VR_FFT_FORWARD ... of runtime/abi.h) and the factor of the results.
struct FftTask {
  int32_t kind;
  double factor;
  int64_t n_from;  ///< elements of a line that are read; zeros follow
  int64_t n_to;    ///< elements of a line that are written
};

/// Transforms the lines of `from`. Every element of `to`, which does not overlap it, is written. Throws Refused if this
/// device cannot do it, device::Failure, std::bad_alloc.
void fft_on_device(Section& section, Shared& shared, Temporaries& temporaries, const Lines& lines, const FftTask& task,
                   const vr_array& from, const vr_array& to);

}  // namespace vr::gpu
