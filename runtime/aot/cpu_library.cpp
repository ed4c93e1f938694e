// Operations of sections that the CPU computes if the device cannot. They are available if their part is linked; code
// that may call them was built with that part.
#include "runtime/gpu/cpu_library.hpp"

#include "runtime/aot/parts.hpp"
#include "runtime/gpu/fault.hpp"

namespace vr::gpu {

namespace {
int32_t not_linked(vr_context* context, const vr_site* site, const char* what) {
  return record_fault(context, site, VR_INTERNAL,
                      std::string(what) + " on the CPU: the part of the runtime is missing");
}
}  // namespace

int32_t mmult_on_cpu(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                     int32_t layout, int32_t where) {
  const auto mmult = runtime::cpu_library.mmult.load(std::memory_order_acquire);
  return mmult ? mmult(context, site, a, b, out, layout, where) : not_linked(context, site, "a matrix product");
}

int32_t sort_on_cpu(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
                    int32_t axis, int64_t base, int32_t layout, int32_t where) {
  const auto sort = runtime::cpu_library.sort.load(std::memory_order_acquire);
  const auto sort_index = runtime::cpu_library.sort_index.load(std::memory_order_acquire);
  if (!sort || !sort_index) return not_linked(context, site, "sorting");
  return index ? sort_index(context, site, a, out, index, axis, base, layout, where)
               : sort(context, site, a, out, axis, layout, where);
}

int32_t fft_on_cpu(vr_context* context, const vr_site* site, const FftCall& call) {
  const auto library = runtime::cpu_library.library.load(std::memory_order_acquire);
  return library ? fft_by(library, context, site, call) : not_linked(context, site, "a Fourier transform");
}

}  // namespace vr::gpu
