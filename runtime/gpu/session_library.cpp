// Scans and sorting of accelerated sections: on the device, or on the CPU where it cannot.
#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/cpu_library.hpp"
#include "runtime/gpu/library_call.hpp"
#include "runtime/gpu/scan.hpp"
#include "runtime/gpu/sort.hpp"

namespace vr::gpu {

int32_t Session::scan(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, int32_t axis,
                      int32_t fold, int32_t elem, int32_t layout, int32_t where) {
  return guarded(*state_, context, site, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->need(context);
    const vr_array from = *a;
    const ScanForm form{fold & ~VR_SCAN_OMIT_NAN, (fold & VR_SCAN_OMIT_NAN) != 0, from.elem, elem};
    const int64_t n = runtime::element_count(from);
    if (axis < 0 && !runtime::is_contiguous(from.rank, from.extent, from.stride, element_bytes(from.elem), false))
      throw device::Failure{Code::Internal, "a scan of all elements of an array that are not in row-major order"};
    vr_array to;
    const int32_t status =
        axis < 0 ? vr_rt_alloc(context, site, &to, elem, 1, &n, layout, VR_FILL_NONE, where)
                 : vr_rt_alloc(context, site, &to, elem, from.rank, from.extent, layout, VR_FILL_NONE, where);
    if (status != VR_OK) return status;
    Results results(*section);
    results.add(to);
    const auto done = [&]() -> int32_t {
      results.give();
      *out = to;
      return VR_OK;
    };
    if (n == 0) return done();
    const std::optional<Lines> lines = axis < 0 ? one_line(from, to) : lines_along(from, to, axis);
    std::string why = no_lines;
    if (lines) {
      why = why_not(*section, [&] {
        Temporaries temporaries(context, site, *section);
        scan_on_device(*section, state_->lead().shared, temporaries, form, *lines, from, to);
      });
      if (why.empty()) {
        ++state_->lead().shared.launches;
        return done();
      }
    }
    note(context, site, "a scan", why);
    ++state_->lead().shared.on_host;
    section->need_host(from, false);
    section->need_host(to, true);
    if (const int32_t code = report(*state_, context, *section); code != VR_OK) return code;
    if (lines) {
      scan_on_host(form, *lines, from.data, to.data);
      return done();
    }
    // Copies one sub-array after the other along the first dimension that is not the axis.
    const auto each = [&](const auto& self, const vr_array& in, const vr_array& result) -> void {
      if (const std::optional<Lines> some = lines_along(in, result, axis))
        return scan_on_host(form, *some, in.data, result.data);
      int32_t d = 0;
      while (d == axis || in.extent[d] == 1) ++d;
      vr_array x = in, y = result;
      x.extent[d] = y.extent[d] = 1;
      for (int64_t k = 0; k < in.extent[d]; ++k) {
        x.data = static_cast<char*>(in.data) + k * in.stride[d];
        y.data = static_cast<char*>(result.data) + k * result.stride[d];
        self(self, x, y);
      }
    };
    each(each, from, to);
    return done();
  });
}

int32_t Session::sort(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
                      int32_t axis, int64_t base, int32_t layout, int32_t where) {
  return guarded(*state_, context, site, [&]() -> int32_t {
    const auto on_host = [&]() -> int32_t {
      return sort_on_cpu(context, site, a, out, index, axis, base, layout, where);
    };
    const std::shared_ptr<Section> section = state_->find(context);
    const vr_array from = *a;
    if (!section) return on_host();
    if (runtime::element_count(from) > 0) {
      vr_array to, places;
      int32_t status = vr_rt_alloc(context, site, &to, from.elem, from.rank, from.extent, layout, VR_FILL_NONE, where);
      if (status != VR_OK) return status;
      Results results(*section);
      results.add(to);
      if (index) {
        status = vr_rt_alloc(context, site, &places, VR_INT64, from.rank, from.extent, layout, VR_FILL_NONE, where);
        if (status != VR_OK) return status;
        results.add(places);
      }
      const std::string why = why_not(*section, [&] {
        Temporaries temporaries(context, site, *section);
        sort_on_device(*section, state_->lead().shared, temporaries, from, to, index ? &places : nullptr, axis, base);
      });
      if (why.empty()) {
        ++state_->lead().shared.launches;
        results.give();
        *out = to;
        if (index) *index = places;
        return VR_OK;
      }
      note(context, site, "sorting", why);
      ++state_->lead().shared.on_host;
    }
    section->need_host(from, false);
    if (const int32_t code = report(*state_, context, *section); code != VR_OK) return code;
    return on_host();
  });
}

}  // namespace vr::gpu
