// Element widths, overflow-checked array sizes and contiguous strides; used by everything that makes or walks arrays.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/elements.hpp>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace vr::runtime {

/// Bytes of one element of this code (both parts of a complex one); 0 if VRIR has no such type.
constexpr int64_t element_bytes(int32_t code) {
  const ir::ElemInfo* e = ir::find_elem(code & ~VR_COMPLEX);
  if (e == nullptr || ((code & VR_COMPLEX) != 0 && ir::is_narrow_float(e->elem))) return 0;
  return code & VR_COMPLEX ? 2 * e->bytes : e->bytes;
}

/// Whether the element, or each part of a complex one, is a float; false for codes without a type.
constexpr bool is_float_code(int32_t code) {
  const ir::ElemInfo* e = ir::find_elem(code & ~VR_COMPLEX);
  return e != nullptr && e->kind == ir::ElemKind::Floating;
}

/// The type of an element's real part; the code must be valid.
constexpr ir::Elem real_part(int32_t code) { return static_cast<ir::Elem>(code & ~VR_COMPLEX); }

/// f(std::type_identity<T>{}) with T the type of elements of a floating code: double, std::complex<float> ... For others,
/// `otherwise`.
template <class F, class R>
R visit_floating(int32_t code, R otherwise, F&& f) {
  if (!is_float_code(code)) return otherwise;
  return ir::visit_computed_elem(real_part(code), [&](auto tag) -> R {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_floating_point_v<T>)
      return code & VR_COMPLEX ? f(std::type_identity<std::complex<T>>{}) : f(std::type_identity<T>{});
    return otherwise;
  });
}

/// The size of an array of these extents. `ok` is false for a negative extent or if a size or a stride does not fit in int64.
/// Strides are computed with 1 for extents of 0, so that they are meaningful in empty arrays too.
struct Size {
  bool ok = false;
  int64_t elements = 0;
  int64_t bytes = 0;
};
inline Size array_size(int32_t rank, const int64_t* extents, int64_t element_bytes) {
  int64_t span = element_bytes, elements = 1;
  for (int32_t k = 0; k < rank; ++k) {
    if (extents[k] < 0) return {};
    if (extents[k] > 1 && __builtin_mul_overflow(span, extents[k], &span)) return {};
    elements *= extents[k];  // if `span` fits, this does as well
  }
  return {true, elements, elements == 0 ? 0 : span};
}

/// Strides in bytes of a contiguous array; the last subscript runs fastest, or the first one with `column_major`.
inline void contiguous_strides(int32_t rank, const int64_t* extents, int64_t element_bytes, bool column_major,
                               int64_t* strides) {
  int64_t step = element_bytes;
  for (int32_t i = 0; i < rank; ++i) {
    int32_t k = column_major ? i : rank - 1 - i;
    strides[k] = step;
    step *= extents[k] > 1 ? extents[k] : 1;
  }
}

/// Whether the array is contiguous in that order. Strides along extents 0 and 1 are never used and are ignored; an array
/// without elements is contiguous.
inline bool is_contiguous(int32_t rank, const int64_t* extents, const int64_t* strides, int64_t element_bytes,
                          bool column_major) {
  for (int32_t k = 0; k < rank; ++k) {
    if (extents[k] == 0) return true;
  }
  int64_t step = element_bytes;
  for (int32_t i = 0; i < rank; ++i) {
    int32_t k = column_major ? i : rank - 1 - i;
    if (extents[k] == 1) continue;
    if (strides[k] != step) return false;
    step *= extents[k];
  }
  return true;
}

inline int64_t element_count(const vr_array& a) {
  int64_t n = 1;
  for (int32_t k = 0; k < a.rank; ++k) n *= a.extent[k];
  return n;
}

}  // namespace vr::runtime
