#include "runtime/cpu/owner.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/cpu/builtin.hpp"
#include "runtime/cpu/collect.hpp"
#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"

namespace vr::runtime {

static_assert(sizeof(vr_owner) <= pool_room_bytes, "the object that owns a block is not adjacent to it");

vr_owner* make_engine_owner(int64_t bytes, bool zeroed) noexcept {
  void* block = pool_allocate(bytes, zeroed);
  if (!block) return nullptr;
  auto* owner = new (pool_room(block)) vr_owner{};
  owner->refs.store(1, std::memory_order_relaxed);
  owner->storage = block;
  owner->bytes = pool_capacity(block);
  return owner;
}

vr_owner* make_owner(const vr_context* ctx, int64_t bytes, bool zeroed) noexcept {
  return ctx->collected ? make_collected_owner(bytes, zeroed) : make_engine_owner(bytes, zeroed);
}

vr_owner* make_host_owner(const HostBinding* host, void* object) noexcept {
  void* block = pool_allocate(0, false);
  if (!block) return nullptr;
  auto* owner = new (pool_room(block)) vr_owner{};
  owner->refs.store(1, std::memory_order_relaxed);
  owner->host = host;
  owner->object = object;
  owner->storage = block;  // the owner itself is stored in this block's extra memory (pool_room)
  return owner;
}

void init_borrowed_owner(vr_owner* owner, const HostBinding* host, void* object) noexcept {
  owner->refs.store(1, std::memory_order_relaxed);
  owner->host = host;
  owner->object = object;
  owner->storage = nullptr;
  owner->bytes = 0;
  owner->borrowed = 1;
}

void describe(vr_array* out, int32_t elem, int32_t rank, const int64_t* extents, bool column_major) noexcept {
  out->elem = elem;
  out->rank = rank;
  out->flags = out->reserved = 0;
  std::copy_n(extents, rank, out->extent);
  contiguous_strides(rank, extents, element_bytes(elem), column_major, out->stride);
}

namespace {

bool same_array(const vr_array& a, const vr_array& b) {
  if (a.data != b.data || a.elem != b.elem || a.rank != b.rank || a.flags != b.flags) return false;
  for (int32_t k = 0; k < a.rank; ++k) {
    if (a.extent[k] != b.extent[k]) return false;
    if (a.extent[k] > 1 && a.stride[k] != b.stride[k]) return false;
  }
  return true;
}

/// Requests an object from the host and fills its descriptor. Null if the host fails or its object does not match the
/// request.
void* allocate_host_object(const HostBinding& host, int32_t elem, int32_t rank, const int64_t* extents,
                           ir::Layout layout, vr_array* shape) {
  HostLock lock(host);
  void* object = host.allocate(host.context, elem, rank, extents, layout);
  if (!object) return nullptr;
  bool fits = read_descriptor(host, object, shape) == VR_OK && shape->elem == elem && shape->rank == rank &&
              shape->flags == 0 && std::equal(extents, extents + rank, shape->extent);
  if (fits) return object;
  host.release(host.context, object);
  return nullptr;
}

void fill_ones(const vr_array& a) {
  auto fill = [n = element_count(a) * (a.elem & VR_COMPLEX ? 2 : 1), &a](auto one) {
    auto* p = static_cast<decltype(one)*>(a.data);
    int64_t step = a.elem & VR_COMPLEX ? 2 : 1;
    if (step == 2) std::fill_n(p, n, decltype(one){});
    for (int64_t i = 0; i < n; i += step) p[i] = one;
  };
  ir::visit_elem(real_part(a.elem), [&](auto tag) { fill(typename decltype(tag)::type{1}); });
}

/// The record contains the extent that is negative, if there is one.
int32_t fail_size(vr_context* ctx, const vr_site* site, int32_t rank, const int64_t* extents) {
  const int64_t* negative = std::find_if(extents, extents + rank, [](int64_t e) { return e < 0; });
  return vr_rt_fail(ctx, site, VR_SIZE, negative == extents + rank ? 0 : *negative, 0);
}

/// vr_rt_alloc in an object of the host. False if the host has only the other layout: the array is then stored in the
/// engine's memory until it is returned.
bool allocate_in_host(vr_context* ctx, const vr_site* site, vr_array* out, int32_t elem, int32_t rank,
                      const int64_t* extents, bool column_major, int32_t fill_with, int32_t* status) {
  const HostBinding* host = ctx->host;
  const int64_t width = element_bytes(elem);
  Size size = array_size(rank, extents, width);
  if (!size.ok) return *status = fail_size(ctx, site, rank, extents), true;
  void* object =
      allocate_host_object(*host, elem, rank, extents, column_major ? ir::Layout::ColMajor : ir::Layout::RowMajor, out);
  if (!object) return *status = fail_host_allocation(ctx, site, elem, rank, size.bytes), true;
  const bool fits = is_contiguous(rank, extents, out->stride, width, column_major);
  vr_owner* owner = fits ? make_host_owner(host, object) : nullptr;
  if (!owner) {
    HostLock lock(*host);
    host->release(host->context, object);
    if (fits) *status = fail_no_memory(ctx, site, size.bytes);
    return fits;
  }
  out->owner = owner;
  if (size.elements > 0 && fill_with == VR_FILL_ZERO) std::memset(out->data, 0, static_cast<size_t>(size.bytes));
  if (size.elements > 0 && fill_with == VR_FILL_ONE) fill_ones(*out);
  return true;
}

/// Whether a new object for `a` may take over the engine's block: the array fills most of it.
bool fills_block(const vr_array& a) {
  const int64_t width = element_bytes(a.elem), bytes = element_count(a) * width;
  return a.data == a.owner->storage && a.owner->bytes <= 2 * bytes + 4096 &&
         (is_contiguous(a.rank, a.extent, a.stride, width, false) ||
          is_contiguous(a.rank, a.extent, a.stride, width, true));
}

/// Gives the owner's block to a new object of the built-in host; the owner then refers to the object.
bool hand_block_to_object(vr_owner* owner, const HostBinding* host, const vr_array& a) {
  ArrayObject* object = make_array_object(a.elem, a.rank);
  if (!object) return false;
  object->data = a.data;
  object->storage = owner->storage;
  std::copy_n(a.extent, a.rank, object->extent);
  std::copy_n(a.stride, a.rank, object->stride);
  owner->host = host;
  owner->object = object;
  owner->storage = nullptr;
  owner->bytes = 0;
  return true;
}

}  // namespace

bool is_whole_block(const vr_array& a) noexcept {
  const int64_t width = element_bytes(a.elem);
  return a.owner && a.owner->borrowed == VR_COLLECTED && a.data == a.owner->storage &&
         element_count(a) * width == a.owner->bytes &&
         (is_contiguous(a.rank, a.extent, a.stride, width, false) ||
          is_contiguous(a.rank, a.extent, a.stride, width, true));
}

bool becomes_object(const vr_array& a) noexcept {
  return a.owner && !a.owner->object && !a.owner->borrowed && fills_block(a);
}

int32_t to_host_object(vr_context* ctx, const vr_site* site, const vr_array* a, ir::Layout layout, bool allow_view,
                       void** object) noexcept {
  const HostBinding* host = ctx->host;
  if (!host || !host->allocate) return fail(ctx, site, VR_HOST, "the host cannot allocate arrays");
  if (a->owner && !a->owner->object && !a->owner->borrowed && is_builtin(*host) &&
      ((a->owner->host && allow_view) || fills_block(*a))) {
    if (!hand_block_to_object(a->owner, host, *a))
      return fail(ctx, site, VR_OUT_OF_MEMORY, "the host could not allocate an array");
    host->retain(host->context, *object = a->owner->object);
    return VR_OK;
  }
  if (a->owner && a->owner->host == host && a->owner->object) {
    vr_array whole, shape = *a;
    HostLock lock(*host);
    const bool known = read_descriptor(*host, a->owner->object, &whole) == VR_OK;
    // The object has a copy of the block, with the elements at the same offsets from its start.
    if (a->owner->borrowed == VR_COLLECTED)
      shape.data = static_cast<char*>(whole.data) +
                   (static_cast<const char*>(a->data) - static_cast<const char*>(a->owner->storage));
    if (known && same_array(shape, whole)) {
      host->retain(host->context, *object = a->owner->object);
      return VR_OK;
    }
    if (allow_view && host->view && (*object = host->view(host->context, a->owner->object, &shape))) return VR_OK;
  }
  vr_array made;
  *object = allocate_host_object(*host, a->elem, a->rank, a->extent, layout, &made);
  if (!*object) return fail_host_allocation(ctx, site, a->elem, a->rank, element_count(*a) * element_bytes(a->elem));
  copy_elements(a->rank, a->extent, element_bytes(a->elem), static_cast<char*>(made.data), made.stride,
                static_cast<const char*>(a->data), a->stride);
  if (is_whole_block(*a)) {
    made.data = a->data;
    if (same_array(*a, made)) {
      a->owner->host = host;
      a->owner->object = *object;  // without a reference, which would never be released
    }
  }
  return VR_OK;
}

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" {

void vr_rt_retain(vr_owner* owner) {
  if (owner && !owner->borrowed) owner->refs.fetch_add(1, std::memory_order_relaxed);
}

void vr_rt_keep(vr_owner*) {}

void vr_rt_release(vr_owner* owner) {
  if (!owner || owner->borrowed) return;
  // No other thread can add a reference while this is the only one, so the last release needs no atomic update.
  if (owner->refs.load(std::memory_order_acquire) != 1 && owner->refs.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  void* block = owner->storage;
  if (owner->object) {
    const vr::HostBinding& host = *owner->host;
    HostLock lock(host);
    host.release(host.context, owner->object);  // may free the block that contains the owner
  }
  pool_free(block);
}

int32_t vr_rt_alloc(vr_context* ctx, const vr_site* site, vr_array* out, int32_t elem, int32_t rank,
                    const int64_t* extents, int32_t layout, int32_t fill_with, int32_t where) {
  const int64_t width = element_bytes(elem);
  if (width == 0 || rank < 1 || rank > VR_MAX_RANK) return vr_rt_fail(ctx, site, VR_TYPE, 0, 0);
  const bool column_major = layout == VR_COLMAJOR;
  const vr::HostBinding* host = where == VR_IN_HOST && !ctx->collected ? ctx->host : nullptr;
  if (host && !is_builtin(*host)) {
    if (host->allocate) {
      int32_t status = VR_OK;
      if (allocate_in_host(ctx, site, out, elem, rank, extents, column_major, fill_with, &status)) return status;
    }
    host = nullptr;
  }
  // Computes size, extents and strides in one function, because every temporary array is made here.
  int64_t span = width, elements = 1;
  for (int32_t i = 0; i < rank; ++i) {
    const int32_t k = column_major ? i : rank - 1 - i;
    const int64_t extent = extents[k];
    out->extent[k] = extent;
    out->stride[k] = span;
    if (extent < 0 || (extent > 1 && __builtin_mul_overflow(span, extent, &span))) [[unlikely]]
      return fail_size(ctx, site, rank, extents);
    elements *= extent;
  }
  const int64_t bytes = elements == 0 ? 0 : span;
  vr_owner* owner = make_owner(ctx, bytes, fill_with == VR_FILL_ZERO);
  if (!owner) return fail_no_memory(ctx, site, bytes);
  owner->host = host;  // the built-in host: an object takes the block over when the array is returned
  out->data = owner->storage;
  out->owner = owner;
  out->elem = elem;
  out->rank = rank;
  out->flags = out->reserved = 0;
  if (fill_with == VR_FILL_ONE) fill_ones(*out);
  return VR_OK;
}

int32_t vr_rt_alloc_for(vr_context* ctx, const vr_site* site, vr_array* old, vr_array* out, int32_t elem, int32_t rank,
                        const int64_t* extents, int32_t layout, int32_t where) {
  vr_owner* owner = old->owner;
  const vr::HostBinding* host = where == VR_IN_HOST ? ctx->host : nullptr;
  const bool in_engine = !host || !host->allocate || is_builtin(*host);
  const int64_t width = element_bytes(elem);
  if (in_engine && is_unique(owner) && !owner->object && old->data == owner->storage && width != 0 && rank >= 1 &&
      rank <= VR_MAX_RANK) {
    const Size size = array_size(rank, extents, width);
    // Not in a block that is much larger than needed, because the block could not be freed while the array is in use.
    if (size.ok && size.bytes <= owner->bytes && owner->bytes <= 2 * size.bytes + 4096) {
      pool_use(owner->storage, std::max(size.bytes, element_count(*old) * element_bytes(old->elem)));
      describe(out, elem, rank, extents, layout == VR_COLMAJOR);
      out->data = old->data;
      out->owner = owner;
      old->owner = nullptr;
      owner->host = host && host->allocate ? host : nullptr;
      return VR_OK;
    }
  }
  return vr_rt_alloc(ctx, site, out, elem, rank, extents, layout, VR_FILL_NONE, where);
}
}
