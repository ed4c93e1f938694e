// Fourier transforms of sections that run on the CPU.
#include "runtime/gpu/cpu_library.hpp"

namespace vr::gpu {

int64_t fft_length(const FftCall& call, int64_t extent) {
  if (call.length != VR_FFT_WHOLE) return call.length;
  return call.kind == VR_FFT_TO_REAL ? 2 * (extent - 1) : extent;
}

int32_t fft_by(decltype(vr_rt_library)* library, vr_context* context, const vr_site* site, const FftCall& call) {
  const auto number = [](const void* at, int32_t elem) {
    vr_array a = {};
    a.data = const_cast<void*>(at);
    a.elem = elem;
    return a;
  };
  const int64_t extent = call.axis < call.a->rank ? call.a->extent[call.axis] : 1;
  const int64_t axis = call.axis + (call.conventions & VR_LIBRARY_BASE_ONE ? 1 : 0);
  const int64_t length = fft_length(call, extent), scaling = call.scaling;
  const bool inverse = call.kind == VR_FFT_INVERSE;
  const vr_array numbers[] = {number(&axis, VR_INT64), number(&length, VR_INT64), number(&inverse, VR_BOOL),
                              number(&scaling, VR_INT64)};
  *call.out = {};
  call.out->elem = call.kind == VR_FFT_TO_REAL ? call.a->elem & ~VR_COMPLEX : call.a->elem | VR_COMPLEX;
  call.out->rank = call.a->rank;
  if (call.kind == VR_FFT_OF_REAL || call.kind == VR_FFT_TO_REAL)
    return library(context, site, call.id, call.conventions, 4, 1, call.a, &numbers[0], &numbers[1], &numbers[3],
                   call.out);
  return library(context, site, call.id, call.conventions, 5, 1, call.a, &numbers[0], &numbers[1], &numbers[2],
                 &numbers[3], call.out);
}

}  // namespace vr::gpu
