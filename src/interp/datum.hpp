// The values of expressions in the interpreter, and their arrays.
#pragma once
#include "interp/fault.hpp"
#include "interp/scalar.hpp"

#include <velociraptor/array.hpp>
#include <velociraptor/ir/nodes.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace vr::ir {
struct LibFunction;
}

namespace vr::interp {

using Extents = std::vector<int64_t>;

/// Counts the bytes of the run's arrays against a limit.
struct Memory {
  int64_t limit = 0;  ///< 0: none
  int64_t alive = 0;
};

/// One block of storage. Every ArrayRef that uses it (views too) has a reference, so use_count() == 1 means that a write changes
/// no other array: the condition for copy on write under `:assign copy`.
struct Storage {
  Memory* memory = nullptr;  ///< null when the block is not counted
  int64_t bytes = 0;
  bool foreign = false;  ///< the storage of an argument of run()
  Storage(Memory* m, int64_t b, bool f) : memory(m), bytes(b), foreign(f) {
    if (memory) memory->alive += bytes;
  }
  ~Storage() {
    if (memory) memory->alive -= bytes;
  }
  Storage(const Storage&) = delete;
};

/// A reference to an array. Copies refer to the same array object.
struct ArrayRef {
  Array array;
  std::shared_ptr<Storage> storage;
  /// The layout by its type, not by its actual strides: a strided array is copied where a contiguous layout is stated, even if
  /// it has no gaps.
  Layout layout = Layout::Strided;

  int rank() const { return array.rank(); }
  int64_t extent(int k) const { return array.extent(k); }
  Extents extents() const { return {array.extents().begin(), array.extents().end()}; }
  int64_t size() const;
  Elem elem() const { return array.elem(); }
  bool complex() const { return array.complex(); }
  ir::Type element() const { return ir::Type::scalar(elem(), complex()); }
  Scalar at(std::span<const int64_t> index) const { return load(array.at(index), elem(), complex()); }
  /// Converts v to the array's element type.
  void put(std::span<const int64_t> index, const Scalar& v) const {
    store(array.at(index), convert(v, elem(), complex()));
  }
};

/// The parts of a range as written; the meaning of an absent part depends on the use.
struct RangeSpec {
  std::optional<Scalar> start, step, stop;
  bool exclude = false;
  bool whole() const { return !start && !step && !stop; }
};
using DomainValue = std::vector<RangeSpec>;

/// A function handle: a function of the module or of the library.
struct FunctionRef {
  const ir::Function* function = nullptr;
  const ir::LibFunction* library = nullptr;
  bool valid() const { return function || library; }
};

struct Datum;
using Tuple = std::vector<Datum>;

/// A value. Empty (monostate) is void, or a variable that was never assigned.
struct Datum {
  std::variant<std::monostate, Scalar, ArrayRef, DomainValue, std::shared_ptr<const Tuple>, FunctionRef> v;

  Datum() = default;
  Datum(Scalar s) : v(s) {}
  Datum(ArrayRef a) : v(std::move(a)) {}
  Datum(DomainValue d) : v(std::move(d)) {}
  Datum(FunctionRef f) : v(std::move(f)) {}
  static Datum tuple(Tuple t);

  bool empty() const { return std::holds_alternative<std::monostate>(v); }
  const Scalar* scalar() const { return std::get_if<Scalar>(&v); }
  const ArrayRef* array() const { return std::get_if<ArrayRef>(&v); }
  ArrayRef* array() { return std::get_if<ArrayRef>(&v); }
  const DomainValue* domain() const { return std::get_if<DomainValue>(&v); }
  const Tuple* tuple() const;
  const FunctionRef* function() const { return std::get_if<FunctionRef>(&v); }
  /// The type of a scalar or array; Null for other values. Rank 0 for a scalar; the layout is rowmajor unless the
  /// elements are in colmajor order only.
  ir::Type type() const;
  const char* kind_text() const;  ///< "number", "array", ... for messages
};

/// The state of a run that library functions and array operations need.
struct Context {
  ir::Conventions conv;
  Memory memory;
  bool tell_broken_promises = false;  ///< see InterpOptions
  bool matlab() const { return conv.mindims == 2; }
};

/// A new array with every element zero. Errors: SIZE and OUT_OF_MEMORY as for Array::zeros, also when the memory limit
/// is exceeded.
ArrayRef make_array(Context& ctx, Elem elem, bool complex, const Extents& extents, Layout layout);
/// A view of `a`'s storage: element (0, ..., 0) at `data`.
ArrayRef make_view(const ArrayRef& a, void* data, const Extents& extents, const Extents& strides);
/// A fresh array with the elements converted.
ArrayRef copy_array(Context& ctx, const ArrayRef& a, Elem elem, bool complex, Layout layout);
/// `l`; if that is strided, the layout of new arrays.
Layout contiguous_layout(const Context& ctx, Layout l);

/// The value converted to type `t`: element type, layout (copied if it differs), number <-> array of one element, and under
/// mindims 2 trailing extents of 1. Returns the same array if nothing has to change. Fault TYPE or SHAPE_MISMATCH if the
/// conversion is impossible. A Null type changes nothing.
Datum coerce(Context& ctx, Datum d, const ir::Type& t);

/// A variable's value before its first assignment: zero, or an array without elements.
Datum default_value(Context& ctx, const ir::Type& t);

/// The number, or the only element of an array (SHAPE_MISMATCH otherwise).
Scalar scalar_of(const Datum& d, const char* what);
/// An integral number (TYPE when it has a fraction).
int64_t int_of(const Scalar& v, const char* what);

/// a + b, a - b, a * b, saturating: subscripts of hostile programs must not overflow.
inline int64_t plus(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_add_overflow(a, b, &r) ? (b < 0 ? INT64_MIN : INT64_MAX) : r;
}
inline int64_t minus(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_sub_overflow(a, b, &r) ? (b < 0 ? INT64_MAX : INT64_MIN) : r;
}
inline int64_t times(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? ((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX) : r;
}
/// Product of extents, SIZE when it overflows.
int64_t element_count(std::span<const int64_t> extents);
std::string shape_text(std::span<const int64_t> extents);  ///< "3x4"

enum class Order : uint8_t { Row, Column };
/// Linear order of elements where a language has one: column-major under MATLAB's conventions.
inline Order linear_order(const Context& ctx) { return ctx.matlab() ? Order::Column : Order::Row; }

/// Advances a 0-based index; false after the last one.
bool next_index(std::span<int64_t> index, std::span<const int64_t> extents, Order order = Order::Row);
/// Calls f(index) for every element; nothing for an array without elements.
template <class F>
void for_each_index(std::span<const int64_t> extents, Order order, F&& f) {
  for (int64_t e : extents)
    if (e == 0) return;
  Extents index(extents.size(), 0);
  do f(std::as_const(index));
  while (next_index(index, extents, order));
}
/// Elements in linear order.
std::vector<Scalar> elements(const ArrayRef& a, Order order);
/// Fills a new array from elements in linear order.
ArrayRef array_from(Context& ctx, const std::vector<Scalar>& values, Elem elem, bool complex, const Extents& extents,
                    Layout layout, Order order);
/// A vector of the conventions (1 x n under mindims 2).
ArrayRef vector_from(Context& ctx, const std::vector<Scalar>& values, Elem elem, bool complex);

}  // namespace vr::interp
