// Fourier transforms of accelerated sections: on the device, or on the CPU where it cannot.
#include <cmath>

#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/cpu_library.hpp"
#include "runtime/gpu/fft.hpp"
#include "runtime/gpu/library_call.hpp"

namespace vr::gpu {

int32_t Session::fft(vr_context* context, const vr_site* site, const FftCall& call) {
  return guarded(*state_, context, site, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section) return fft_on_cpu(context, site, call);
    const vr_array from = *call.a;
    const int64_t extent = call.axis < from.rank ? from.extent[call.axis] : 1;
    const int64_t n = fft_length(call, extent);
    // Faults are those of the library function.
    const bool valid = call.axis < from.rank && n > 0 && call.scaling >= 0 && call.scaling <= 2;
    if (valid && runtime::element_count(from) > 0) {
      const bool of_real = call.kind == VR_FFT_OF_REAL, to_real = call.kind == VR_FFT_TO_REAL;
      const int64_t half = n / 2 + 1, n_to = of_real ? half : n, n_from = std::min(to_real ? half : n, extent);
      const int32_t elem = to_real ? from.elem & ~VR_COMPLEX : from.elem | VR_COMPLEX;
      vr_array longer = from, to;
      longer.extent[call.axis] = n_to;
      const int32_t layout = call.conventions & VR_LIBRARY_COLMAJOR ? VR_COLMAJOR : VR_ROWMAJOR;
      const int32_t where = call.conventions & VR_LIBRARY_IN_HOST ? VR_IN_HOST : VR_IN_ENGINE;
      const int32_t status =
          vr_rt_alloc(context, site, &to, elem, from.rank, longer.extent, layout, VR_FILL_NONE, where);
      if (status != VR_OK) return status;
      Results results(*section);
      results.add(to);
      longer.extent[call.axis] = n;
      const std::optional<Lines> lines = lines_along(longer, to, call.axis);
      std::string why = no_lines;
      if (lines) {
        const double count = static_cast<double>(n);
        const double factor = call.scaling == 0 ? 1 : call.scaling == 1 ? 1 / std::sqrt(count) : 1 / count;
        why = why_not(*section, [&] {
          Temporaries temporaries(context, site, *section);
          fft_on_device(*section, state_->lead().shared, temporaries, *lines, {call.kind, factor, n_from, n_to}, from,
                        to);
        });
      }
      if (why.empty()) {
        ++state_->lead().shared.launches;
        results.give();
        *call.out = to;
        return VR_OK;
      }
      note(context, site, "a Fourier transform", why);
      ++state_->lead().shared.on_host;
    }
    section->need_host(from, false);
    if (const int32_t code = report(*state_, context, *section); code != VR_OK) return code;
    return fft_on_cpu(context, site, call);
  });
}

}  // namespace vr::gpu
