#include "runtime/gpu/library/lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "runtime/cpu/sizes.hpp"

namespace vr::gpu {

std::optional<Lines> lines_along(const vr_array& from, const vr_array& to, int32_t axis) {
  struct Dim {
    int64_t extent, from, to;
  };
  Lines l;
  std::vector<Dim> dims;
  for (int32_t d = 0; d < from.rank; ++d) {
    if (d == axis) {
      l.n = from.extent[d];
      l.from.step = from.stride[d];
      l.to.step = to.stride[d];
    } else if (from.extent[d] != 1) {
      dims.push_back({from.extent[d], from.stride[d], to.stride[d]});
    }
  }
  std::stable_sort(dims.begin(), dims.end(),
                   [](const Dim& a, const Dim& b) { return std::llabs(a.from) < std::llabs(b.from); });
  std::vector<Dim> joined;
  for (const Dim& d : dims) {
    l.count *= d.extent;
    if (!joined.empty()) {
      Dim& last = joined.back();
      if (d.from == last.from * last.extent && d.to == last.to * last.extent) {
        last.extent *= d.extent;
        continue;
      }
    }
    joined.push_back(d);
  }
  if (joined.size() > 3) return {};
  for (size_t k = 0; k < joined.size(); ++k) {
    l.extent[k] = joined[k].extent;
    l.from.stride[k] = joined[k].from;
    l.to.stride[k] = joined[k].to;
  }
  return l;
}

Lines one_line(const vr_array& from, const vr_array& to) {
  Lines l;
  l.n = runtime::element_count(from);
  l.from.step = runtime::element_bytes(from.elem);
  l.to.step = runtime::element_bytes(to.elem);
  return l;
}

}  // namespace vr::gpu
