// The standard library's table (docs/vrir-library.md): one record for each function. Code that distinguishes functions uses
// their records or switches over `Lib`, never their names (tests/library_names.py).
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vr::ir {

/// Every function, in the table's order.
enum class Lib : uint8_t {
#define VR_LIB(Id, ...) Id,
#include "ir/library.def"
};
/// Those that are computed element by element, numbered as in Lib: for a switch that must have a case for each.
enum class LibMap : uint8_t {
#define VR_LIB_MAP(Id, ...) Id = static_cast<uint8_t>(Lib::Id),
#include "ir/library.def"
};

enum class LibSort : uint8_t {
  FloatMap,  ///< elementwise, result floating (integers convert to float64); complex where it has meaning
  SameMap,   ///< elementwise, result of the operand's type: floor abs sign conj ... (abs of complex is real)
  RealPart,  ///< elementwise, complex to real: real imag angle
  Test,      ///< elementwise, result bool: isnan isinf isfinite
  Arith,     ///< two operands, elementwise with broadcasting: libplus min2 pow atan2 mod ...
  Select,    ///< where(test, x, y), elementwise with broadcasting
  Random,    ///< of a key, a counter and parameters, elementwise with broadcasting
  Matrix,    ///< linear algebra: mmult trans dot norm outer mldiv mrdiv
  Reduce,    ///< over all or one axis: sum prod min max mean any all argmin argmax
  Scan,      ///< cumsum cumprod
  Shape,     ///< size numel length ndims dimvec reshape horzcat vertcat
  Make,      ///< zeros ones empty eye linspace colon range
  Other,     ///< copy sort find
  Called,    ///< computed by the runtime, for interpreter and native code alike: LibFunction::params, results
};
/// Elementwise maths of one operand.
constexpr bool is_map(LibSort s) {
  return s == LibSort::FloatMap || s == LibSort::SameMap || s == LibSort::RealPart || s == LibSort::Test;
}
/// Elementwise maths.
constexpr bool is_elementwise(LibSort s) { return is_map(s) || s == LibSort::Arith || s == LibSort::Select || s == LibSort::Random; }

/// How the type and extents of the result follow from the operands: typing and shape inference have a case for each
/// value.
enum class LibRule : uint8_t {
  Elementwise,    ///< the operands', broadcast
  Product,        ///< matrix product
  LeftQuotient,   ///< X of A X = B
  RightQuotient,  ///< X of X B = A
  Transposed,
  Inner,        ///< a number, of two vectors
  Norm,         ///< a real number, of a vector or matrix
  Outer,        ///< a matrix, of two vectors
  Reduced,      ///< over all elements or one axis
  Scanned,      ///< as the operand; NumPy without an axis: a vector
  Count,        ///< a whole number that the operand's extents say
  Sizes,        ///< all of the operand's extents as a vector, or one of them
  Reshaped,     ///< extents are the arguments after the first
  Element,      ///< the element of an array that has exactly one
  SideBySide,   ///< arrays joined along the second dimension
  Stacked,      ///< along the first
  Progression,  ///< a vector that counts
  Linspace,     ///< a vector whose number of elements is the third argument
  Identity,     ///< a matrix; extents are the arguments, which are numbers
  Filled,       ///< extents are the arguments: numbers, or one vector
  Copied,
  Sorted,  ///< as the operand; the second result has the old positions of the elements
  Found,   ///< positions; as several results also in each dimension, and the elements
  Called,  ///< LibFunction::results says
};
/// The element type of the result.
enum class LibElem : uint8_t {
  Same,         ///< the common type of the operands
  Floating,     ///< the same where it is floating, else float64
  Arithmetic,   ///< that of arithmetic: truth values count as int32
  Integer,      ///< as Arithmetic; operands must be integers
  StatedFloat,  ///< as Arithmetic; where the call states a floating type it is computed in that
  Sum,          ///< that of a sum: wide enough for many (NumPy), truth values as float64 (MATLAB)
  Bool,
  Int64,
  UInt64,
  Float64,
  Stated,  ///< the call's stated type, else float64
};
/// The effect of a complex operand on the result.
enum class LibComplex : uint8_t {
  Kept,     ///< it is complex
  Dropped,  ///< it is real
  Refused,  ///< the function has no meaning for complex operands
};
/// What shape inference knows about the values of the result if it knows those of the operands.
enum class LibValue : uint8_t {
  Unknown,  ///< nothing
  Any,      ///< anything of the stated type
  Same,     ///< of each element that it is an operand's element
  Truth,    ///< 0 or 1
  Zero,
  One,
  Either,    ///< one of two operands
  Position,  ///< from the base on, as many consecutive values as the operand has elements
  Abs,
  Sign,
  Rounded,  ///< a whole number as it is
  Conjugate,
  RealPart,
  ImagPart,
  Plus,
  Minus,
  Mult,
  Div,
  Lesser,
  Greater,
  Mod,
  Rem,
  BitAnd,
  Elements,  ///< how many elements the operand has
  Length,    ///< its first extent (NumPy) or longest (MATLAB)
  Rank,
  Extents,
};
/// How a reduction combines elements: interpreter and lowering have a case for each value.
enum class LibFold : uint8_t {
  None,
  Sum,
  Product,
  Mean,
  Least,
  Greatest,
  Any,
  All,
  FirstLeast,     ///< where the least element is, the first of equal ones
  FirstGreatest,  ///< likewise
};

/// The least and the greatest number of arguments that these parameters of a Called function accept.
constexpr uint8_t called_arguments(std::string_view params, bool least) {
  const size_t optional = params.find('?');
  if (optional == params.npos) return static_cast<uint8_t>(params.size());
  return static_cast<uint8_t>(least ? optional : params.size() - 1);
}

struct LibFunction {
  std::string_view name;
  Lib id;
  LibSort sort;
  uint8_t min_args, max_args;
  LibRule rule;
  LibElem elem;
  LibComplex complex;
  LibValue values;
  LibFold fold;
  /// Called: parameters and results, in the letters that library.def explains; else "".
  std::string_view params, results;

  /// The scalar function of an elementwise row.
  constexpr LibMap map() const { return static_cast<LibMap>(id); }
  /// Whether an elementwise function can fail for some values of its operands: an integer divisor of zero, a count that
  /// is not positive, a result out of range.
  constexpr bool faults() const {
    const bool divides = values == LibValue::Mod || values == LibValue::Rem || values == LibValue::Div;
    return divides || (sort == LibSort::Random && elem == LibElem::Int64) || checks_overflow();
  }
  constexpr bool checks_overflow() const { return id >= Lib::AddCheck && id <= Lib::CastCheck; }
  /// Whether the result depends only on the operand's extents.
  constexpr bool asks_shape() const { return rule == LibRule::Count || rule == LibRule::Sizes; }
};
const LibFunction& library(Lib id);
inline const LibFunction& library(LibMap id) { return library(static_cast<Lib>(id)); }
/// Null when the library has no such function.
const LibFunction* find_library(std::string_view name);
/// The function that the expression calls; null if it is not a libcall or there is no such function.
const LibFunction* library_function(const Expr* e);
inline const LibFunction* library_function(const ExprPtr& e) { return library_function(e.get()); }
/// Whether the expression is a libcall of that function.
inline bool calls(const Expr* e, Lib id) {
  const LibFunction* f = library_function(e);
  return f && f->id == id;
}
inline bool calls(const ExprPtr& e, Lib id) { return calls(e.get(), id); }
std::shared_ptr<LibCall> make_call(const Type& t, Lib id, std::vector<ExprPtr> args);
/// The library function that is equivalent to an alloc.
constexpr Lib library_of(AllocFunc f) {
  return f == AllocFunc::Zeros ? Lib::Zeros : f == AllocFunc::Ones ? Lib::Ones : Lib::Empty;
}
/// All rows, sorted by name.
const std::vector<LibFunction>& all_library();

}  // namespace vr::ir
