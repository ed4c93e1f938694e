// What is known of a value when a function is compiled: class x complex x extents x constant. A lattice: join() gives
// what holds on two ways that meet; types of variables only grow from round to round.
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
  Handle
};
const char* class_name(Cls c);  ///< "double", "function_handle"
std::optional<Cls> class_named(const std::string& name);
constexpr bool is_integer(Cls c) { return c >= Cls::Int8 && c <= Cls::Uint64; }
constexpr bool is_floating(Cls c) { return c == Cls::Double || c == Cls::Single; }

/// An extent that is not known: any, or any but 1 (what a caller's array had that is no vector along this dimension).
constexpr int64_t kAny = -1, kNotOne = -2;

struct Closure;  // emitter.hpp: a function handle

struct Type {
  Cls cls = Cls::Double;
  bool complex = false;
  std::vector<int64_t> ext = {1, 1};  ///< extents, at least two: a number, kAny or kNotOne
  std::optional<double> number;       ///< a scalar whose value is known
  std::optional<std::string> text;    ///< of class Char: always known
  std::vector<int64_t> sizes;         ///< not empty: the value is the size of something with these extents
  std::shared_ptr<const Closure> closure;
  /// Double on one path and logical on another: allowed in arithmetic and conditions, where the class makes no
  /// difference.
  bool mixed = false;
  /// Complex by the function complex(), which keeps an imaginary part of zeros; all other complex values become real
  /// then.
  bool kept_complex = false;
  /// Not empty: ways with different classes met here, and the value cannot be used; says why.
  std::string lost;

  static Type scalar(Cls c, bool complex = false);
  static Type array(Cls c, std::vector<int64_t> ext, bool complex = false);
  static Type constant(double v);
  static Type string(std::string s);

  bool is_scalar() const;
  int rank() const { return static_cast<int>(ext.size()); }
  bool is_row() const { return ext.size() == 2 && ext[0] == 1; }
  bool is_column() const { return ext.size() == 2 && ext[1] == 1; }
  bool is_empty() const;  ///< known to have no elements
  int64_t count() const;  ///< elements, kAny when not known
  bool has_storage() const { return lost.empty() && cls != Cls::Handle && cls != Cls::Char; }
  Type without_constant() const;
  std::string text_form() const;  ///< "double 3x4", "complex single 1x?", "'text'"
  friend bool operator==(const Type& a, const Type& b);
};

/// The VRIR element for a class; none while VRIR has no such element.
std::optional<ir::Elem> elem_of(Cls c);
/// How a variable of the type is held: a scalar, or a column-major array.
ir::Type storage(const Type& t);

Type join(const Type& a, const Type& b);
/// Extents of an elementwise result; nothing when they can never agree.
std::optional<std::vector<int64_t>> broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

/// The class of an arithmetic result by MATLAB's rule: an integer class wins, then single; logical and char count as
/// double. Nothing for two integer classes that differ, or handles.
std::optional<Cls> arithmetic_class(Cls a, Cls b);

}  // namespace vr::matlab
