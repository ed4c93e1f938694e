// The vr_gpu_* functions of runtime/abi.h: they pass the call on to the context's session.
#include "runtime/cpu/poll.hpp"
#include "runtime/gpu/cpu_library.hpp"
#include "runtime/gpu/fault.hpp"
#include "runtime/gpu/session.hpp"
#include "runtime/gpu/storage.hpp"

using vr::gpu::bytes_of;
using vr::gpu::mmult_on_cpu;
using vr::gpu::record_fault;
using vr::gpu::sort_on_cpu;
using vr::runtime::asked_to_stop;

namespace {

int32_t no_session(vr_context* context, const vr_site* site) {
  return record_fault(context, site, VR_DEVICE,
                      "an accelerated section needs an OpenCL device, and this call has none");
}

}  // namespace

extern "C" {

int32_t vr_gpu_section_begin(vr_context* context) {
  return context->gpu ? context->gpu->section_begin(context) : no_session(context, nullptr);
}

int32_t vr_gpu_launch(vr_context* context, const vr_site* site, const vr_kernel* kernel, const int64_t* counts,
                      const vr_value* args) {
  if (asked_to_stop(*context))
    if (const int32_t stop = vr_rt_poll(context, site)) return stop;
  return context->gpu ? context->gpu->launch(context, site, kernel, counts, args) : no_session(context, site);
}

int32_t vr_gpu_need_host(vr_context* context, const vr_array* array, int32_t write) {
  return context->gpu ? context->gpu->need_host(context, array, write) : int32_t{VR_OK};
}

int32_t vr_gpu_need_bytes(vr_context* context, const void* first, int64_t count) {
  if (!context->gpu) return VR_OK;
  const auto lo = reinterpret_cast<uintptr_t>(first);
  const vr_array part = bytes_of({lo, lo + static_cast<uintptr_t>(count)});
  return context->gpu->need_host(context, &part, 0);
}

int32_t vr_gpu_section_end(vr_context* context) {
  return context->gpu ? context->gpu->section_end(context) : int32_t{VR_OK};
}

int32_t vr_gpu_section_leave(vr_context* context) {
  return context->gpu ? context->gpu->section_leave(context) : int32_t{VR_OK};
}

int32_t vr_gpu_section_sync(vr_context* context) {
  return context->gpu ? context->gpu->section_sync(context) : int32_t{VR_OK};
}

int32_t vr_gpu_mmult(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                     int32_t layout, int32_t where) {
  return context->gpu ? context->gpu->mmult(context, site, a, b, out, layout, where)
                      : mmult_on_cpu(context, site, a, b, out, layout, where);
}

int32_t vr_gpu_gemm(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, const vr_array* c) {
  return context->gpu ? context->gpu->gemm(context, site, a, b, c) : 0;
}

int32_t vr_gpu_scan(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, int32_t axis,
                    int32_t fold, int32_t elem, int32_t layout, int32_t where) {
  return context->gpu ? context->gpu->scan(context, site, a, out, axis, fold, elem, layout, where)
                      : no_session(context, site);
}

int32_t vr_gpu_sort(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, int32_t axis,
                    int32_t layout, int32_t where) {
  return context->gpu ? context->gpu->sort(context, site, a, out, nullptr, axis, 0, layout, where)
                      : sort_on_cpu(context, site, a, out, nullptr, axis, 0, layout, where);
}

int32_t vr_gpu_sort_index(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
                          int32_t axis, int64_t base, int32_t layout, int32_t where) {
  return context->gpu ? context->gpu->sort(context, site, a, out, index, axis, base, layout, where)
                      : sort_on_cpu(context, site, a, out, index, axis, base, layout, where);
}

int32_t vr_gpu_fft(vr_context* context, const vr_site* site, int32_t id, int32_t conventions, const vr_array* a,
                   vr_array* out, int32_t axis, int64_t length, int32_t kind, int32_t scaling) {
  const vr::gpu::FftCall call{id, conventions, a, out, axis, length, kind, scaling};
  return context->gpu ? context->gpu->fft(context, site, call) : vr::gpu::fft_on_cpu(context, site, call);
}

int32_t vr_gpu_make_unique(vr_context* context, const vr_site* site, vr_array* a, int32_t layout, int32_t where,
                           int32_t on_device) {
  return context->gpu ? context->gpu->make_unique(context, site, a, layout, where, on_device != 0)
                      : vr_rt_make_unique(context, site, a, layout, where);
}

void vr_gpu_release(vr_context* context, vr_owner* owner) {
  if (context->gpu)
    context->gpu->release(context, owner);
  else
    vr_rt_release(owner);
}

}  // extern "C"
