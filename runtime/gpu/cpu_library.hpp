// Operations of sections that the CPU computes if the device cannot: calls of library code outside of runtime/gpu.
// Built libraries (runtime/aot) have them only if their part is linked; otherwise no code calls them.
#pragma once
#include "runtime/abi.h"

namespace vr::gpu {

/// The functions vr_rt_mmult, vr_rt_sort and vr_rt_sort_index of runtime/abi.h; same contracts.
int32_t mmult_on_cpu(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                     int32_t layout, int32_t where);
/// index: null without positions; `base` is used only with it.
int32_t sort_on_cpu(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
                    int32_t axis, int64_t base, int32_t layout, int32_t where);

/// The arguments of vr_gpu_fft.
struct FftCall {
  int32_t id, conventions;
  const vr_array* a;
  vr_array* out;
  int32_t axis;
  int64_t length;
  int32_t kind, scaling;
};
/// The length of the transform along an axis of `extent` elements.
int64_t fft_length(const FftCall& call, int64_t extent);
int32_t fft_on_cpu(vr_context* context, const vr_site* site, const FftCall& call);
/// The same, computed by `library`, the function vr_rt_library.
int32_t fft_by(decltype(vr_rt_library)* library, vr_context* context, const vr_site* site, const FftCall& call);

}  // namespace vr::gpu
