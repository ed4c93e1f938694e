// What shape inference knows of a variable at a program point (thesis 6.5.1): a number, the shape and elements of an
// array, or the parts of a tuple.
#pragma once
#include "analysis/number.hpp"

#include <memory>

namespace vr::analysis {

struct ShapeValue;
using ShapeValuePtr = std::shared_ptr<const ShapeValue>;

/// An array: how large it is, how its elements lie, and what they can be.
struct ArrayShape {
  static constexpr size_t most_elements = 16;  ///< arrays whose elements are followed one by one

  std::vector<Interval> extents;                ///< one a dimension, none below 0
  std::optional<std::vector<int64_t>> strides;  ///< bytes, one a dimension; absent: unknown
  Number element;                               ///< what holds of every element; without terms
  std::vector<Number> elements;  ///< when not empty, one an element, the last subscript fastest; extents are known then

  bool known() const;                    ///< all extents are single numbers
  std::optional<int64_t> count() const;  ///< of elements, when the extents are known and not immense
  Interval size() const;                 ///< of elements
};

/// Everything that is no number, array or tuple (domains, handles) is `Other`, of which nothing is known.
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
  /// "3..7", "[100,?]", "[3]{4,5,6}", "([2], 7)", and "?" of what nothing is known of.
  std::string text() const;
};

/// Anything of the type.
ShapeValue any_value(const ir::Type& t);
/// What a variable holds before its first assignment: zero, an array without elements.
ShapeValue start_value(const ir::Type& t);
/// A new array with these extents in the type's layout, elements unknown. Without a layout of its own (strided): no
/// strides.
ArrayShape new_array(const ir::Type& t, std::vector<Interval> extents);
/// What holds of both values, which are of one type.
ShapeValue join(const ShapeValue& a, const ShapeValue& b);
/// The value stored where another type is stated: elements convert, strides follow the layout.
ShapeValue converted(const ShapeValue& v, const ir::Type& from, const ir::Type& to);
/// What remains when the elements of its arrays may have been replaced by others, which `stored` describes.
ShapeValue with_stored(const ShapeValue& v, const ir::Type& t, const Number& stored);
/// `next` pulled out to what repeated joins end at: bounds that moved since `old` go to the next of `stops`, or are
/// given up.
ShapeValue widened(const ShapeValue& old, const ShapeValue& next, const ir::Type& t, const std::vector<int64_t>& stops);
/// Without what has to do with these loops: the statements first <= s < end.
ShapeValuePtr without_loops(const ShapeValuePtr& v, int first, int end);

}  // namespace vr::analysis
