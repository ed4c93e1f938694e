// VRIR's types (thesis 4.2): scalars, arrays, domains, tuples, void, functions.
#pragma once
#include <velociraptor/ir/elements.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace vr::ir {

/// Order of the elements in memory (thesis 4.3.1). RowMajor and ColMajor are contiguous.
enum class Layout : uint8_t { RowMajor, ColMajor, Strided };
const char* layout_name(Layout l);  ///< "rowmajor"

/// Null: not typed (yet), or the front end could not type it (`(null ...)` of the mclab dialect).
enum class TypeKind : uint8_t { Null, Void, Scalar, Array, Domain, Tuple, Function };

/// A type. Cheap to copy; compare with ==.
struct Type {
  TypeKind kind = TypeKind::Null;
  Elem elem = Elem::Float64;          ///< Scalar, Array
  bool complex = false;               ///< Scalar, Array
  Layout layout = Layout::RowMajor;   ///< Array
  uint8_t rank = 0;                   ///< Array: dimensions, 1..16; Domain: dimensions
  /// Tuple: the elements. Domain: one scalar type a dimension. Function: the inputs.
  std::shared_ptr<const std::vector<Type>> parts;
  /// Function: the outputs; empty for void.
  std::shared_ptr<const std::vector<Type>> outs;

  static Type null() { return {}; }
  static Type void_() { Type t; t.kind = TypeKind::Void; return t; }
  static Type scalar(Elem e, bool complex = false);
  static Type array(Elem e, int rank, Layout layout, bool complex = false);
  static Type domain(std::vector<Type> dims);
  static Type tuple(std::vector<Type> elems);
  static Type function(std::vector<Type> ins, std::vector<Type> outs);

  bool is_null() const { return kind == TypeKind::Null; }
  bool is_void() const { return kind == TypeKind::Void; }
  bool is_scalar() const { return kind == TypeKind::Scalar; }
  bool is_array() const { return kind == TypeKind::Array; }
  bool is_domain() const { return kind == TypeKind::Domain; }
  bool is_tuple() const { return kind == TypeKind::Tuple; }
  bool is_function() const { return kind == TypeKind::Function; }
  bool is_numeric() const { return is_scalar() || is_array(); }
  /// The scalar type of an array's elements; of a scalar, itself.
  Type element() const { return scalar(elem, complex); }
  const std::vector<Type>& components() const;  ///< parts, never null
  const std::vector<Type>& outputs() const;     ///< outs, never null
  /// Short text for messages: "float64", "complex float32", "colmajor float64[2]", "(float64, int32)", "f(int64) -> float64".
  std::string text() const;
  friend bool operator==(const Type& a, const Type& b);
};

}  // namespace vr::ir
#pragma GCC visibility pop
