// Arrays of the built-in host: a vr_ndarray is a vr::ArrayObject, so that the engine's results need no wrapping.
#include "capi/handles.hpp"

#include <fmt/format.h>

namespace vr::capi {

bool is_elem(int32_t code) {
  const ir::ElemInfo* e = ir::find_elem(code & ~VR_COMPLEX);
  return e != nullptr && !((code & VR_COMPLEX) != 0 && ir::is_narrow_float(e->elem));
}

Array share(const vr_ndarray* a) {
  ArrayObject* object = unwrap(const_cast<vr_ndarray*>(a));
  object->refs.fetch_add(1, std::memory_order_relaxed);
  return Array::adopt(object);
}

namespace {

Status check_shape(int32_t elem, int32_t rank, const int64_t* extents) {
  if (!is_elem(elem)) return usage(fmt::format("{} is no element code", elem));
  if (rank < 1 || rank > VR_MAX_RANK) return usage(fmt::format("rank {}; arrays have 1 to {}", rank, VR_MAX_RANK));
  if (!extents) return null_argument("extents");
  return {};
}

Status check_layout(int32_t layout) {
  if (layout == VR_LAYOUT_ROW_MAJOR || layout == VR_LAYOUT_COL_MAJOR) return {};
  return usage(fmt::format("{} is neither VR_LAYOUT_ROW_MAJOR nor VR_LAYOUT_COL_MAJOR", layout));
}

using Maker = Result<Array> (*)(Elem, std::span<const int64_t>, Layout, bool);

vr_status make(Maker maker, int32_t elem, int32_t rank, const int64_t* extents, int32_t layout, vr_ndarray** out,
               vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (Status s = check_shape(elem, rank, extents); !s) return s;
    if (Status s = check_layout(layout); !s) return s;
    auto a = maker(elem_of(elem), {extents, static_cast<size_t>(rank)}, static_cast<Layout>(layout), complex_of(elem));
    if (!a) return a.error();
    *out = wrap(a->release());
    return {};
  });
}

/// Row-major strides; SIZE when an extent is negative or the bytes do not fit.
Status row_major(int32_t rank, const int64_t* extents, int64_t bytes, int64_t* strides) {
  for (int32_t k = rank - 1; k >= 0; --k) {
    strides[k] = bytes;
    if (extents[k] < 0 || __builtin_mul_overflow(bytes, extents[k] > 0 ? extents[k] : 1, &bytes))
      return make_error(Code::Size, fmt::format("extent {} of axis {} is negative or too large", extents[k], k));
  }
  return {};
}

vr_status borrow(const void* data, bool read_only, int32_t elem, int32_t rank, const int64_t* extents,
                 const int64_t* strides, vr_ndarray** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (Status s = check_shape(elem, rank, extents); !s) return s;
    const int64_t width = ir::elem_bytes(elem_of(elem));
    int64_t own[VR_MAX_RANK];
    if (Status s = row_major(rank, extents, complex_of(elem) ? 2 * width : width, own); !s) return s;
    bool empty = false;
    for (int32_t k = 0; k < rank; ++k) empty = empty || extents[k] == 0;
    if (!data && !empty) return null_argument("data");
    // Compiled code loads whole elements.
    bool aligned = reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(width) == 0;
    for (int32_t k = 0; strides && k < rank; ++k) aligned = aligned && strides[k] % width == 0;
    if (!aligned)
      return usage(
          fmt::format("data and strides must be multiples of {}, the size of {}", width, ir::elem_name(elem_of(elem))));
    const auto n = static_cast<size_t>(rank);
    const std::span<const int64_t> shape(extents, n), steps(strides ? strides : own, n);
    Array a = read_only ? Array::borrow_const(data, elem_of(elem), complex_of(elem), shape, steps)
                        : Array::borrow(const_cast<void*>(data), elem_of(elem), complex_of(elem), shape, steps);
    *out = wrap(a.release());
    return {};
  });
}

}  // namespace
}  // namespace vr::capi

using namespace vr;
using namespace vr::capi;

extern "C" {

vr_status vr_ndarray_zeros(int32_t elem, int32_t rank, const int64_t* extents, int32_t layout, vr_ndarray** out,
                           vr_failure** failure) {
  return make(Array::zeros, elem, rank, extents, layout, out, failure);
}
vr_status vr_ndarray_empty(int32_t elem, int32_t rank, const int64_t* extents, int32_t layout, vr_ndarray** out,
                           vr_failure** failure) {
  return make(Array::empty, elem, rank, extents, layout, out, failure);
}
vr_status vr_ndarray_borrow(void* data, int32_t elem, int32_t rank, const int64_t* extents, const int64_t* strides,
                            vr_ndarray** out, vr_failure** failure) {
  return borrow(data, false, elem, rank, extents, strides, out, failure);
}
vr_status vr_ndarray_borrow_const(const void* data, int32_t elem, int32_t rank, const int64_t* extents,
                                  const int64_t* strides, vr_ndarray** out, vr_failure** failure) {
  return borrow(data, true, elem, rank, extents, strides, out, failure);
}
vr_status vr_ndarray_read_only_view(const vr_ndarray* array, vr_ndarray** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!array) return null_argument("array");
    *out = wrap(share(array).read_only_view().release());
    return {};
  });
}
vr_status vr_ndarray_copy(const vr_ndarray* array, int32_t layout, vr_ndarray** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!array) return null_argument("array");
    if (Status s = check_layout(layout); !s) return s;
    auto copy = share(array).copy(static_cast<Layout>(layout));
    if (!copy) return copy.error();
    *out = wrap(copy->release());
    return {};
  });
}
vr_ndarray* vr_ndarray_retain(vr_ndarray* array) {
  if (array) share(array).release();
  return array;
}
void vr_ndarray_release(vr_ndarray* array) {
  if (array) Array::adopt(unwrap(array));
}
int64_t vr_ndarray_use_count(const vr_ndarray* array) { return array ? unwrap(array)->refs.load() : 0; }

vr_status vr_ndarray_describe(const vr_ndarray* array, vr_array* out, vr_failure** failure) {
  return border(failure, [&]() -> Status {
    if (!array) return null_argument("array");
    if (!out) return null_argument("out");
    *out = share(array).descriptor();
    return {};
  });
}
void* vr_ndarray_data(const vr_ndarray* a) { return a ? unwrap(a)->data : nullptr; }
int32_t vr_ndarray_elem(const vr_ndarray* a) { return a ? unwrap(a)->elem : -1; }
int32_t vr_ndarray_rank(const vr_ndarray* a) { return a ? unwrap(a)->rank : 0; }
int32_t vr_ndarray_is_read_only(const vr_ndarray* a) { return a && unwrap(a)->read_only ? 1 : 0; }
int64_t vr_ndarray_extent(const vr_ndarray* a, int32_t axis) {
  return axis >= 0 && axis < vr_ndarray_rank(a) ? unwrap(a)->extent[axis] : -1;
}
int64_t vr_ndarray_stride(const vr_ndarray* a, int32_t axis) {
  return axis >= 0 && axis < vr_ndarray_rank(a) ? unwrap(a)->stride[axis] : 0;
}
int64_t vr_ndarray_size(const vr_ndarray* a) {
  int64_t n = a ? 1 : 0;
  for (int32_t k = 0; k < vr_ndarray_rank(a); ++k) n *= unwrap(a)->extent[k];
  return n;
}

}  // extern "C"
