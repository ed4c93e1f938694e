// Element widths, overflow-checked array sizes and contiguous strides; used by everything that makes or walks arrays.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/elements.hpp>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace vr::runtime {

/// Bytes of one element of this code, complex counted whole; 0 when VRIR has no such type.
constexpr int64_t element_bytes(int32_t code) {
  const ir::ElemInfo* e = ir::find_elem(code & ~VR_COMPLEX);
  return e == nullptr ? 0 : code & VR_COMPLEX ? 2 * e->bytes : e->bytes;
}

/// Whether the element, or each part of a complex one, is a float; false of codes that are no type.
constexpr bool is_float_code(int32_t code) {
  const ir::ElemInfo* e = ir::find_elem(code & ~VR_COMPLEX);
  return e != nullptr && e->kind == ir::ElemKind::Floating;
}

/// The type of a code's real part; the code is that of an array that was checked.
constexpr ir::Elem real_part(int32_t code) { return static_cast<ir::Elem>(code & ~VR_COMPLEX); }

/// f(std::type_identity<T>{}) with T the type of elements of a floating code: double, std::complex<float> ... For others,
/// `otherwise`.
template <class F, class R>
R visit_floating(int32_t code, R otherwise, F&& f) {
  if (!is_float_code(code)) return otherwise;
  return ir::visit_elem(real_part(code), [&](auto tag) -> R {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_floating_point_v<T>)
      return code & VR_COMPLEX ? f(std::type_identity<std::complex<T>>{}) : f(std::type_identity<T>{});
    return otherwise;
  });
}

/// What an array of these extents needs. `ok` is false for a negative extent or when a size or a stride does not fit in
/// int64. Strides count as if extents of 0 were 1, so that they stay meaningful in empty arrays.
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
    elements *= extents[k];  // as long as `span` fits, so does this
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

/// Whether the elements lie one after another in that order. Strides of extents 0 and 1 are never used and do not
/// count; an array without elements is contiguous.
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
