// Element types: the table of elements.def as data and as C++ types.
#pragma once
#include <velociraptor/ir/half.hpp>

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
  const char* opencl;        ///< the type in memory: "uchar"
  const char* abbreviation;  ///< "f64"
  const char* numpy;         ///< "f8"; "": NumPy has no such type
};
inline constexpr ElemInfo elem_table[] = {
#define VR_ELEM(Name, text, code, bytes, kind, c_type, opencl_type, llvm_type, abbreviation, numpy) \
  {Elem::Name, text, bytes, ElemKind::kind, opencl_type, abbreviation, numpy},
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

/// The entry for an element code without VR_COMPLEX; null if no element type has the code.
constexpr const ElemInfo* find_elem(int32_t code) {
  return static_cast<uint32_t>(code) < 16 ? detail::elem_lines.of[code] : nullptr;
}
constexpr const ElemInfo& elem_info(Elem e) { return *find_elem(static_cast<int32_t>(e)); }

constexpr const char* elem_name(Elem e) { return elem_info(e).name; }
constexpr int elem_bytes(Elem e) { return elem_info(e).bytes; }
constexpr ElemKind elem_kind(Elem e) { return elem_info(e).kind; }
constexpr bool is_float(Elem e) { return elem_kind(e) == ElemKind::Floating; }
/// float16 and bfloat16: stored, moved and converted; what is computed with them is computed in float32 and rounded. There are
/// no complex numbers of them.
constexpr bool is_narrow_float(Elem e) { return is_float(e) && elem_bytes(e) == 2; }
/// A float that does not hold every whole number that float64 holds.
constexpr bool is_float_below_64(Elem e) { return is_float(e) && e != Elem::Float64; }
/// The type in which operations on elements of type `e` are computed.
constexpr Elem computed_elem(Elem e) { return is_narrow_float(e) ? Elem::Float32 : e; }
/// Signed or unsigned integers; bool is not one.
constexpr bool is_integer(Elem e) { return elem_kind(e) == ElemKind::Signed || elem_kind(e) == ElemKind::Unsigned; }
constexpr bool is_unsigned(Elem e) { return elem_kind(e) == ElemKind::Unsigned; }

/// The common type of int32 and a narrower float than float64 is a convention (docs/vrir-conventions.md "promote"). Vrir: float32.
/// Numpy2: float64.
enum class Promote : uint8_t { Vrir, Numpy2 };

/// The integer type of a kind and width.
constexpr Elem integer_elem(ElemKind kind, int bytes) {
  for (const ElemInfo& e : elem_table)
    if (e.kind == kind && e.bytes == bytes) return e.elem;
  return Elem::Int64;
}

/// The common type of two operands, by NumPy's table with the exception above: the smallest type that holds all values of
/// both; float64 if there is none.
constexpr Elem common_elem(Elem a, Elem b, Promote promote = Promote::Vrir) {
  if (a == b || elem_kind(b) == ElemKind::Logical) return a;
  if (elem_kind(a) == ElemKind::Logical) return b;
  if (is_narrow_float(a) && is_narrow_float(b)) return Elem::Float32;
  if (elem_kind(a) == elem_kind(b)) return elem_bytes(a) < elem_bytes(b) ? b : a;
  if (is_float(a) || is_float(b)) {
    const Elem f = is_float(a) ? a : b, i = is_float(a) ? b : a;
    const bool by_convention = i == Elem::Int32 && promote == Promote::Vrir;
    if (elem_bytes(i) < elem_bytes(f)) return f;
    return by_convention || elem_bytes(i) < elem_bytes(Elem::Float32) ? computed_elem(f) : Elem::Float64;
  }
  const Elem s = is_unsigned(a) ? b : a, u = is_unsigned(a) ? a : b;
  if (elem_bytes(s) > elem_bytes(u)) return s;
  return elem_bytes(u) < 8 ? integer_elem(ElemKind::Signed, 2 * elem_bytes(u)) : Elem::Float64;
}

/// The type in which sums and products of elements are computed: for integers and bool the widest integer type of their
/// kind, for floats their own type.
constexpr Elem sum_elem(Elem e) {
  return is_float(e) ? e : is_unsigned(e) ? Elem::UInt64 : Elem::Int64;
}

namespace detail {
template <Elem e, class Representation>
struct ElemType {
  using type = Representation;
};
template <class Representation>
struct ElemType<Elem::Float16, Representation> {
  using type = Float16;
};
template <class Representation>
struct ElemType<Elem::BFloat16, Representation> {
  using type = BFloat16;
};
}  // namespace detail

/// An element type as a C++ type: `type` is its representation in memory (bool is a uint8_t), of narrow floats a class that
/// converts to float.
template <Elem e>
struct ElemTag;
#define VR_ELEM(Name, text, code, bytes_, kind_, c_type, ...) \
  template <>                                                        \
  struct ElemTag<Elem::Name> {                                       \
    using type = detail::ElemType<Elem::Name, c_type>::type;         \
    static constexpr Elem elem = Elem::Name;                         \
    static constexpr ElemKind kind = ElemKind::kind_;                \
  };                                                                 \
  static_assert(sizeof(c_type) == bytes_);
#include <velociraptor/ir/elements.def>

/// Calls f(ElemTag<e>{}): the only dispatch from element types to C++ types. `f` must return the same type for all.
template <class F>
constexpr decltype(auto) visit_elem(Elem e, F&& f) {
  switch (e) {
#define VR_ELEM(Name, ...) \
  case Elem::Name:         \
    return f(ElemTag<Elem::Name>{});
#include <velociraptor/ir/elements.def>
  }
  __builtin_unreachable();  // codes are checked (find_elem) before they are converted to Elem
}

/// Calls f as visit_elem does, with the types that operations are computed in: float32 in place of a narrow float, whose elements
/// `f` must not read.
template <class F>
constexpr decltype(auto) visit_computed_elem(Elem e, F&& f) {
  switch (computed_elem(e)) {
#define VR_ELEM(Name, ...) \
  case Elem::Name:         \
    return f(ElemTag<computed_elem(Elem::Name)>{});
#include <velociraptor/ir/elements.def>
  }
  __builtin_unreachable();
}

// Many places (constants, the interpreter) store numbers of any integer type in an int64_t: uint64 as its bit pattern, all
// other types by value.

/// Calls f(v) with the number that `bits` represents: a uint64_t for uint64, else an int64_t.
template <class F>
constexpr decltype(auto) with_integer(int64_t bits, Elem e, F&& f) {
  if (e == Elem::UInt64) return f(static_cast<uint64_t>(bits));
  return f(bits);
}

/// The nearest int64: how a uint64 is converted to a subscript, an extent or a count.
constexpr int64_t nearest_int64(int64_t bits, Elem e) {
  return e == Elem::UInt64 && bits < 0 ? std::numeric_limits<int64_t>::max() : bits;
}

/// Quotient rounded toward zero, and remainder with the dividend's sign; b must not be 0. The least integer divided by -1 wraps.
constexpr int64_t int_quotient(int64_t a, int64_t b, Elem e) {
  if (e == Elem::UInt64) return static_cast<int64_t>(static_cast<uint64_t>(a) / static_cast<uint64_t>(b));
  return b == -1 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a / b;
}
constexpr int64_t int_remainder(int64_t a, int64_t b, Elem e) {
  if (e == Elem::UInt64) return static_cast<int64_t>(static_cast<uint64_t>(a) % static_cast<uint64_t>(b));
  return b == -1 ? 0 : a % b;
}

/// The integer as T, a floating type, rounded once.
template <class T>
constexpr T int_to_float(int64_t bits, Elem e) {
  return with_integer(bits, e, [](auto v) { return static_cast<T>(v); });
}

/// The least and the greatest value of bool and integer types; those of uint64 as bits.
struct IntLimits {
  int64_t least, most;
};
constexpr IntLimits int_limits(Elem e) {
  return visit_elem(e, [](auto tag) -> IntLimits {
    using T = typename decltype(tag)::type;
    if constexpr (tag.kind == ElemKind::Logical) return {0, 1};
    if constexpr (std::is_integral_v<T>)
      return {static_cast<int64_t>(std::numeric_limits<T>::min()), static_cast<int64_t>(std::numeric_limits<T>::max())};
    return {0, 0};
  });
}

/// An integer converted to that type: modulo 2^bits for integers; for bool, whether it is not 0.
constexpr int64_t wrap(int64_t v, Elem e) {
  return visit_elem(e, [v](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    if constexpr (tag.kind == ElemKind::Logical) return v != 0;
    if constexpr (std::is_integral_v<T>) return static_cast<int64_t>(static_cast<T>(static_cast<uint64_t>(v)));
    return v;
  });
}

/// A float converted to an integer type: rounded toward zero, clamped to the type's limits, 0 for NaN. To bool: whether it is not 0.
constexpr int64_t saturate(double v, Elem e) {
  if (elem_kind(e) == ElemKind::Logical) return v != 0;
  if (v != v) return 0;
  const IntLimits limit = int_limits(e);
  // The greatest int64 and uint64 are not representable as double and round up to the next power of two, hence >=.
  if (v >= int_to_float<double>(limit.most, e)) return limit.most;
  if (v <= static_cast<double>(limit.least)) return limit.least;
  return e == Elem::UInt64 ? static_cast<int64_t>(static_cast<uint64_t>(v)) : static_cast<int64_t>(v);
}

/// A float rounded to that floating type.
constexpr double rounded(double v, Elem e) {
  return visit_elem(e, [v](auto tag) -> double {
    if constexpr (tag.kind == ElemKind::Floating) return static_cast<typename decltype(tag)::type>(v);
    return v;
  });
}

}  // namespace vr::ir
