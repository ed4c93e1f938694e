#include "runtime/gpu/storage.hpp"

#include <algorithm>
#include <vector>

namespace vr::gpu {
namespace {

struct Dim {
  int64_t extent, stride;
};

/// The array's dimensions sorted by ascending positive strides, contiguous ones merged, those of extent 1 removed, and
/// the number of contiguous bytes in the innermost dimension.
struct Shape {
  uintptr_t start = 0;
  int64_t run = 0;
  std::vector<Dim> dims;
};

Shape normalise(const vr_array& a) {
  Shape s;
  s.start = storage_span(a).lo;
  s.run = element_bytes(a.elem);
  std::vector<Dim> dims;
  for (int k = 0; k < a.rank; ++k) {
    const int64_t stride = a.stride[k] < 0 ? -a.stride[k] : a.stride[k];
    if (a.extent[k] > 1 && stride != 0) dims.push_back({a.extent[k], stride});
  }
  std::sort(dims.begin(), dims.end(), [](const Dim& x, const Dim& y) { return x.stride < y.stride; });
  for (const Dim& d : dims) {
    if (s.dims.empty() && d.stride == s.run)
      s.run *= d.extent;
    else if (!s.dims.empty() && d.stride == s.dims.back().stride * s.dims.back().extent)
      s.dims.back().extent *= d.extent;
    else
      s.dims.push_back(d);
  }
  return s;
}

}  // namespace

Span storage_span(const vr_array& a) {
  const auto data = reinterpret_cast<uintptr_t>(a.data);
  Span s{data, data};
  for (int k = 0; k < a.rank; ++k) {
    if (a.extent[k] <= 0) return {};
    const int64_t reach = (a.extent[k] - 1) * a.stride[k];
    if (reach < 0)
      s.lo -= uintptr_t(-reach);
    else
      s.hi += uintptr_t(reach);
  }
  s.hi += uintptr_t(element_bytes(a.elem));
  return s;
}

vr_array bytes_of(Span span) {
  vr_array b = {};
  b.data = reinterpret_cast<void*>(span.lo);
  b.elem = VR_BOOL;
  b.rank = 1;
  b.extent[0] = static_cast<int64_t>(span.bytes());
  b.stride[0] = 1;
  return b;
}

bool is_dense(const vr_array& a) {
  const Span span = storage_span(a);
  return span.empty() || normalise(a).dims.empty();
}

}  // namespace vr::gpu
