// vr_rt_assign: elements into parts of arrays.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"

using namespace vr::runtime;

namespace {

/// First and past-the-last byte of the elements.
struct Range {
  const char* begin;
  const char* end;
};
Range bytes_of(const vr_array& a) {
  const char* low = static_cast<const char*>(a.data);
  const char* high = low + element_bytes(a.elem);
  for (int32_t k = 0; k < a.rank; ++k) {
    int64_t reach = (a.extent[k] - 1) * a.stride[k];
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

bool same_extents(const vr_array& a, const vr_array& b) {
  return a.rank == b.rank && std::equal(a.extent, a.extent + a.rank, b.extent);
}

void copy_into(const vr_array& from, char* to, const int64_t* strides) {
  copy_elements(from.rank, from.extent, element_bytes(from.elem), to, strides, static_cast<const char*>(from.data),
                from.stride);
}

}  // namespace

extern "C" {

int32_t vr_rt_assign(vr_context* ctx, const vr_site* site, const vr_array* given, const vr_array* dst) {
  const int64_t width = element_bytes(given->elem);
  if (given->elem != dst->elem || width == 0) return vr_rt_fail(ctx, site, VR_TYPE, 0, 0);
  // An extent of 1 is broadcast: the same element is used for every subscript.
  vr_array spread = *given;
  const vr_array* src = &spread;
  for (int32_t k = 0; k < spread.rank && k < dst->rank; ++k) {
    if (spread.extent[k] != 1 || dst->extent[k] == 1) continue;
    spread.extent[k] = dst->extent[k];
    spread.stride[k] = 0;
  }
  if (!same_extents(*src, *dst)) {
    return fail(ctx, site, VR_SHAPE_MISMATCH,
                "an array of shape " + shape_text(*src) + " does not fit into shape " + shape_text(*dst));
  }
  const int64_t n = element_count(*src);
  if (n == 0) return VR_OK;
  auto* to = static_cast<char*>(dst->data);
  Range a = bytes_of(*src), b = bytes_of(*dst);
  if (a.end <= b.begin || b.end <= a.begin) {
    copy_into(*src, to, dst->stride);
    return VR_OK;
  }
  // They may share memory: all elements are read before the first is written.
  void* block = pool_allocate(n * width, false);
  if (!block) return fail_no_memory(ctx, site, n * width);
  vr_array packed = *src;
  packed.data = block;
  contiguous_strides(packed.rank, packed.extent, width, false, packed.stride);
  copy_into(*src, static_cast<char*>(block), packed.stride);
  copy_into(packed, to, dst->stride);
  pool_free(block);
  return VR_OK;
}
}
