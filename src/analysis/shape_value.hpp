// What shape inference knows about a variable at a program point (thesis 6.5.1): a number, the shape and elements of an
// array, or the parts of a tuple.
#pragma once
#include "analysis/number.hpp"

#include <memory>

namespace vr::analysis {

/// Extents: any, and exactly 1.
inline constexpr Interval any_extent{0, Interval::most};
inline constexpr Interval one = Interval::of(1);
inline bool is_one(const Interval& i) { return i == one; }

struct ShapeValue;
using ShapeValuePtr = std::shared_ptr<const ShapeValue>;

/// An array: its extents, its strides, and the values of its elements.
struct ArrayShape {
  static constexpr size_t most_elements = 16;  ///< elements of larger arrays are not tracked one by one

  std::vector<Interval> extents;                ///< for each dimension, not below 0
  std::optional<std::vector<int64_t>> strides;  ///< bytes, for each dimension; absent: unknown
  Number element;                               ///< holds for every element; without terms
  std::vector<Number> elements;  ///< if not empty: each element, the last subscript fastest; extents are known then

  bool known() const;                    ///< all extents are known numbers
  std::optional<int64_t> count() const;  ///< number of elements, if the extents are known and it is not immense
  Interval size() const;                 ///< number of elements
};

/// All other values (domains, handles) are `Other`; nothing is known about them.
struct ShapeValue {
  enum class Kind : uint8_t { Other, Number, Array, Tuple };
  Kind kind = Kind::Other;
  Number number;
  ArrayShape array;
  std::vector<ShapeValuePtr> parts;

  static ShapeValue of(Number n);
  static ShapeValue of(ArrayShape a);
  static ShapeValue tuple(std::vector<ShapeValuePtr> parts);
  friend bool operator==(const ShapeValue& a, const ShapeValue& b);
  /// "3..7", "[100,?]", "[3]{4,5,6}", "([2], 7)"; "?" if nothing is known.
  std::string text() const;
};

/// Any value of the type.
ShapeValue any_value(const ir::Type& t);
/// The value of a variable before its first assignment: zero, or an array without elements.
ShapeValue start_value(const ir::Type& t);
/// A new array with these extents in the type's layout, elements unknown. With a strided layout: strides unknown.
ArrayShape new_array(const ir::Type& t, std::vector<Interval> extents);
/// The facts that hold for both values, which have the same type.
ShapeValue join(const ShapeValue& a, const ShapeValue& b);
/// The value converted to another stated type: elements are converted, strides follow the layout.
ShapeValue converted(const ShapeValue& v, const ir::Type& from, const ir::Type& to);
/// The value after elements of its arrays may have been replaced by values in `stored`.
ShapeValue with_stored(const ShapeValue& v, const ir::Type& t, const Number& stored);
/// Widening: bounds of `next` that changed since `old` are extended to the next of `stops`, or to infinity, so that
/// repeated joins terminate.
ShapeValue widened(const ShapeValue& old, const ShapeValue& next, const ir::Type& t, const std::vector<int64_t>& stops);
/// Without terms in the variables of these loops: the statements first <= s < end.
ShapeValuePtr without_loops(const ShapeValuePtr& v, int first, int end);

}  // namespace vr::analysis
