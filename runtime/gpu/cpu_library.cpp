#include "runtime/gpu/cpu_library.hpp"

namespace vr::gpu {

int32_t mmult_on_cpu(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                     int32_t layout, int32_t where) {
  return vr_rt_mmult(context, site, a, b, out, layout, where);
}

int32_t sort_on_cpu(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
                    int32_t axis, int64_t base, int32_t layout, int32_t where) {
  return index ? vr_rt_sort_index(context, site, a, out, index, axis, base, layout, where)
               : vr_rt_sort(context, site, a, out, axis, layout, where);
}

int32_t fft_on_cpu(vr_context* context, const vr_site* site, const FftCall& call) {
  return fft_by(vr_rt_library, context, site, call);
}

}  // namespace vr::gpu
