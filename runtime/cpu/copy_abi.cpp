// vr_rt_copy, make_unique and grow: new arrays made from existing ones.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"

using namespace vr::runtime;

namespace {

bool stored_as(const vr_array& a, int32_t layout) {
  return is_contiguous(a.rank, a.extent, a.stride, element_bytes(a.elem), layout == VR_COLMAJOR);
}

void replace(vr_array* a, const vr_array& by) {
  vr_owner* old = a->owner;
  *a = by;
  vr_rt_release(old);
}

/// Whether an array with the new strides that starts at the same address has the old elements at their current
/// addresses, so that all new elements come after all old ones. That is the case if only the slowest-varying dimension
/// with more than one element grows, such as the columns of a column-major matrix.
bool grows_at_end(const vr_array& a, const int64_t* new_strides, int32_t layout) {
  if (!stored_as(a, layout)) return false;
  if (element_count(a) == 0) return true;
  for (int32_t k = 0; k < a.rank; ++k) {
    if (a.extent[k] > 1 && a.stride[k] != new_strides[k]) return false;
  }
  return true;
}

/// Bytes that the array may use from its data pointer on; 0 when it must not grow in place.
int64_t room_from_data(const vr_array& a) {
  if (!is_unique(a) || a.owner->object) return 0;
  int64_t offset = static_cast<const char*>(a.data) - static_cast<const char*>(a.owner->storage);
  return offset < 0 || offset > a.owner->bytes ? 0 : a.owner->bytes - offset;
}

}  // namespace

extern "C" {

int32_t vr_rt_copy(vr_context* ctx, const vr_site* site, const vr_array* src, vr_array* out, int32_t layout,
                   int32_t where) {
  vr_array from = *src;  // out may be the same descriptor as src
  vr_array made;
  int32_t status = vr_rt_alloc(ctx, site, &made, from.elem, from.rank, from.extent, layout, VR_FILL_NONE, where);
  if (status != VR_OK) return status;
  copy_elements(from.rank, from.extent, element_bytes(from.elem), static_cast<char*>(made.data), made.stride,
                static_cast<const char*>(from.data), from.stride);
  *out = made;
  return VR_OK;
}

int32_t vr_rt_make_unique(vr_context* ctx, const vr_site* site, vr_array* a, int32_t layout, int32_t where) {
  if (is_unique(*a)) return VR_OK;
  vr_array made;
  int32_t status = vr_rt_copy(ctx, site, a, &made, layout, where);
  if (status == VR_OK) replace(a, made);
  return status;
}

int32_t vr_rt_grow(vr_context* ctx, const vr_site* site, vr_array* a, const int64_t* extents, int32_t layout,
                   int32_t /*where: see abi.h*/) {
  int64_t width = element_bytes(a->elem);
  int64_t wanted[VR_MAX_RANK];
  for (int32_t k = 0; k < a->rank; ++k) wanted[k] = std::max(extents[k], a->extent[k]);
  Size size = array_size(a->rank, wanted, width);
  if (!size.ok) return vr_rt_fail(ctx, site, VR_SIZE, 0, 0);
  if (std::equal(wanted, wanted + a->rank, a->extent)) return VR_OK;

  vr_array made;
  describe(&made, a->elem, a->rank, wanted, layout == VR_COLMAJOR);
  int64_t old_bytes = element_count(*a) * width;
  bool at_end = grows_at_end(*a, made.stride, layout);
  if (at_end && size.bytes <= room_from_data(*a)) {
    // An array without elements fits in any storage. Its owner may be null and is not accessed.
    if (size.bytes > 0) {
      pool_use(a->owner->storage, static_cast<char*>(a->data) - static_cast<char*>(a->owner->storage) + size.bytes);
      std::memset(static_cast<char*>(a->data) + old_bytes, 0, static_cast<size_t>(size.bytes - old_bytes));
    }
    made.data = a->data;
    made.owner = a->owner;
    *a = made;
    return VR_OK;
  }

  // Capacity for half as many elements again if elements are appended to an array that has some, so that n appends copy
  // O(n) elements.
  int64_t capacity = size.bytes;
  // Collected arrays never grow in place, because it is not known whether they have other references.
  if (at_end && old_bytes > 0 && !ctx->collected) capacity += std::min(capacity / 2, INT64_MAX / 4 - capacity / 2);
  bool append = at_end && old_bytes > 0;
  vr_owner* owner = make_owner(ctx, capacity, !append);
  if (!owner && append) owner = make_owner(ctx, size.bytes, false);
  if (!owner) return fail_no_memory(ctx, site, size.bytes);
  if (!ctx->collected) pool_use(owner->storage, size.bytes);
  made.owner = owner;
  made.data = owner->storage;
  char* to = static_cast<char*>(made.data);
  if (append) {
    std::memcpy(to, a->data, static_cast<size_t>(old_bytes));
    std::memset(to + old_bytes, 0, static_cast<size_t>(size.bytes - old_bytes));
  } else {
    copy_elements(a->rank, a->extent, width, to, made.stride, static_cast<const char*>(a->data), a->stride);
  }
  replace(a, made);
  return VR_OK;
}
}
