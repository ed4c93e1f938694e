// Element types: what elements.def says of each, as data and as C++ types.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

namespace vr::ir {

enum class Elem : uint8_t {
#define VR_ELEM(Name, text, code, ...) Name = code,
#include <velociraptor/ir/elements.def>
};

/// Logical: 0 or 1, one byte.
enum class ElemKind : uint8_t { Logical, Signed, Unsigned, Floating };

/// A line of elements.def.
struct ElemInfo {
  Elem elem;
  const char* name;          ///< "float64"
  int bytes;                 ///< of one real value
  ElemKind kind;
  int rank;                  ///< in widening
  const char* opencl;        ///< the type in memory: "uchar"
  const char* abbreviation;  ///< "f64"
  const char* numpy;         ///< "f8"
};
inline constexpr ElemInfo elem_table[] = {
#define VR_ELEM(Name, text, code, bytes, kind, rank, c_type, opencl_type, llvm_type, abbreviation, numpy) \
  {Elem::Name, text, bytes, ElemKind::kind, rank, opencl_type, abbreviation, numpy},
#include <velociraptor/ir/elements.def>
};

namespace detail {
struct ElemLines {
  const ElemInfo* of[16] = {};  // codes are below VR_COMPLEX
  constexpr ElemLines() {
    for (const ElemInfo& e : elem_table) of[static_cast<int>(e.elem)] = &e;
  }
};
inline constexpr ElemLines elem_lines;
}  // namespace detail

/// The line of a code without VR_COMPLEX; null: no element type has it.
constexpr const ElemInfo* find_elem(int32_t code) {
  return static_cast<uint32_t>(code) < 16 ? detail::elem_lines.of[code] : nullptr;
}
constexpr const ElemInfo& elem_info(Elem e) { return *find_elem(static_cast<int32_t>(e)); }

constexpr const char* elem_name(Elem e) { return elem_info(e).name; }
constexpr int elem_bytes(Elem e) { return elem_info(e).bytes; }
constexpr ElemKind elem_kind(Elem e) { return elem_info(e).kind; }
constexpr bool is_float(Elem e) { return elem_kind(e) == ElemKind::Floating; }
/// Signed or unsigned whole numbers; truth values are none.
constexpr bool is_integer(Elem e) { return elem_kind(e) == ElemKind::Signed || elem_kind(e) == ElemKind::Unsigned; }
/// The one of the higher rank.
constexpr Elem wider(Elem a, Elem b) { return elem_info(a).rank < elem_info(b).rank ? b : a; }

/// An element type as a C++ type: `type` is what is in memory (a truth value is a uint8_t).
template <Elem e>
struct ElemTag;
#define VR_ELEM(Name, text, code, bytes_, kind_, rank_, c_type, ...) \
  template <>                                                        \
  struct ElemTag<Elem::Name> {                                       \
    using type = c_type;                                             \
    static constexpr Elem elem = Elem::Name;                         \
    static constexpr ElemKind kind = ElemKind::kind_;                \
  };                                                                 \
  static_assert(sizeof(c_type) == bytes_);
#include <velociraptor/ir/elements.def>

/// f(ElemTag<e>{}): the one place that goes from an element type to C++ types. `f` gives the same type for all.
template <class F>
constexpr decltype(auto) visit_elem(Elem e, F&& f) {
  switch (e) {
#define VR_ELEM(Name, ...) \
  case Elem::Name:         \
    return f(ElemTag<Elem::Name>{});
#include <velociraptor/ir/elements.def>
  }
  __builtin_unreachable();  // an Elem is made of a code that was looked up (find_elem)
}

/// Least and most value of truth values and integers.
struct IntLimits {
  int64_t least, most;
};
constexpr IntLimits int_limits(Elem e) {
  return visit_elem(e, [](auto tag) -> IntLimits {
    using T = typename decltype(tag)::type;
    if constexpr (tag.kind == ElemKind::Logical) return {0, 1};
    if constexpr (std::is_integral_v<T>) return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    return {0, 0};
  });
}

/// An integer as a variable of that type keeps it: modulo its width; a truth value: whether it is not 0.
constexpr int64_t wrap(int64_t v, Elem e) {
  return visit_elem(e, [v](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    if constexpr (tag.kind == ElemKind::Logical) return v != 0;
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(v));
    return v;
  });
}

/// A float to an integer type: toward zero, the nearest limit where that does not fit, 0 for NaN. To a truth value: not 0.
constexpr int64_t saturate(double v, Elem e) {
  if (elem_kind(e) == ElemKind::Logical) return v != 0;
  if (v != v) return 0;
  const IntLimits limit = int_limits(e);
  // The greatest int64 is no double; the next power of two is.
  if (v >= static_cast<double>(limit.most)) return limit.most;
  if (v <= static_cast<double>(limit.least)) return limit.least;
  return static_cast<int64_t>(v);
}

/// A float as a variable of that floating type keeps it.
constexpr double rounded(double v, Elem e) {
  return visit_elem(e, [v](auto tag) -> double {
    if constexpr (tag.kind == ElemKind::Floating) return static_cast<typename decltype(tag)::type>(v);
    return v;
  });
}

}  // namespace vr::ir
