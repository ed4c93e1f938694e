// What the compiler knows about a value: class, complex or real, extents, constant. The types form a lattice: join() is
// the type of a value that comes from two control-flow paths. Types of variables only rise from round to round.
#pragma once
#include <velociraptor/ir/types.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vr::matlab {

enum class Cls : uint8_t {
  Double,
  Single,
  Logical,
  Char,
  Int8,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Handle,
  Cell,
  Struct,
  List,  ///< a cell array of unknown length (emit_list.cpp): the fields data, ends and rows
  /// An array of structures of unknown length (emit_structs.cpp): for each field its values, a List, or Structs if they
  /// are structures.
  Structs,
};
const char* class_name(Cls c);  ///< "double", "function_handle"
std::optional<Cls> class_named(const std::string& name);
constexpr bool is_integer(Cls c) { return c >= Cls::Int8 && c <= Cls::Uint64; }
constexpr bool is_floating(Cls c) { return c == Cls::Double || c == Cls::Single; }

/// An unknown extent: any, or any but 1 (an argument whose extent along this dimension was not 1).
constexpr int64_t kAny = -1, kNotOne = -2;

/// Bits of Type::special. An element of a range is none; parts of a diagonal or permutation matrix may be one.
constexpr uint8_t kRangeForm = 1, kMatrixForm = 2;
/// Another bit of it: [] as cell() makes it, to which something else is probably assigned before it is read.
constexpr uint8_t kNewCell = 4;

struct Closure;  // emitter.hpp: a function handle

/// Which quotes a constant text was written in. The formatting functions replace escapes in templates of single quotes.
enum class Quotes : uint8_t { Unknown, Single, Double };

struct Type {
  Cls cls = Cls::Double;
  bool complex = false;
  std::vector<int64_t> ext = {1, 1};  ///< extents, at least two: a number, kAny or kNotOne
  std::optional<double> number;       ///< a scalar whose value is known
  std::optional<std::string> text;    ///< of class Char: a constant; other text is held as an array of bytes
  Quotes quotes = Quotes::Unknown;    ///< of constant text
  std::vector<int64_t> sizes;         ///< not empty: the value is the size of something with these extents
  std::shared_ptr<const Closure> closure;
  /// Double on one path and logical on another: allowed in arithmetic and conditions, where the class makes no
  /// difference.
  bool mixed = false;
  /// Complex by the function complex(), which keeps an imaginary part of zeros; all other complex values become real
  /// then.
  bool kept_complex = false;
  /// Special representations that the array may have in Octave, which change how it is displayed.
  uint8_t special = 0;
  /// Of Cell and Struct, which are aggregates of known length: each part is a variable of its own. Names of the fields
  /// of a Struct, and the types of the parts, column by column. A variable's type has no parts: they are variables.
  std::vector<std::string> fields;
  std::vector<Type> parts;
  std::vector<int64_t> element;  ///< of a List: the extents of its elements; empty while nothing is assigned
  /// Not empty: the value has different classes on different paths and cannot be used; the reason.
  std::string lost;

  static Type scalar(Cls c, bool complex = false);
  static Type array(Cls c, std::vector<int64_t> ext, bool complex = false);
  static Type constant(double v);
  static Type string(std::string s, Quotes quotes = Quotes::Unknown);

  bool is_scalar() const;
  int rank() const { return static_cast<int>(ext.size()); }
  bool is_row() const { return ext.size() == 2 && ext[0] == 1; }
  bool is_column() const { return ext.size() == 2 && ext[1] == 1; }
  bool is_empty() const;  ///< known to have no elements
  int64_t count() const;  ///< elements, kAny when not known
  bool is_aggregate() const { return cls >= Cls::Cell; }
  bool has_storage() const { return lost.empty() && cls != Cls::Handle && !text && !is_aggregate(); }
  Type without_constant() const;
  std::string text_form() const;  ///< "double 3x4", "complex single 1x?", "'text'"
  friend bool operator==(const Type& a, const Type& b);
};

/// The VRIR element for a class; none while VRIR has no such element.
std::optional<ir::Elem> elem_of(Cls c);
/// The VRIR type of a variable: a scalar, or a column-major array.
ir::Type storage(const Type& t);

Type join(const Type& a, const Type& b);
/// Extents of an elementwise result; nothing when they can never agree.
std::optional<std::vector<int64_t>> broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

/// The class of an arithmetic result by MATLAB's rule: an integer class wins, then single; logical and char count as
/// double. Nothing for two integer classes that differ, or handles.
std::optional<Cls> arithmetic_class(Cls a, Cls b);

}  // namespace vr::matlab
