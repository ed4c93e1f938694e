// Numbers of the interpreter: one dynamic type for all element types, exact for each of them.
#pragma once
#include <velociraptor/engine.hpp>
#include <velociraptor/ir/types.hpp>

#include <cmath>
#include <cstdint>
#include <optional>

namespace vr::interp {

/// Real or imaginary part: in `i` for bool (0/1) and integers (a uint64 as its bits), in `f` for floats (float32 values
/// are represented exactly).
union Part {
  int64_t i;
  double f;
};

/// A number of any element type. Integers are always within their type's range, float32 values always rounded to
/// float32.
struct Scalar {
  Elem elem = Elem::Float64;
  bool complex = false;
  Part re{.f = 0};
  Part im{.f = 0};

  static Scalar real(double v, Elem e = Elem::Float64);    ///< converted to e
  static Scalar integer(int64_t v, Elem e = Elem::Int64);  ///< converted to e
  static Scalar boolean(bool v) { return integer(v, Elem::Bool); }
  static Scalar complex_of(double re, double im, Elem e = Elem::Float64);
  static Scalar zero(Elem e, bool complex = false);

  bool floating() const { return ir::is_float(elem); }
  bool is_nan() const { return floating() && std::isnan(re.f); }  ///< that the real part is NaN
  double real_part() const { return floating() ? re.f : ir::int_to_float<double>(re.i, elem); }
  double imag_part() const { return !complex ? 0 : floating() ? im.f : ir::int_to_float<double>(im.i, elem); }
  Scalar re_scalar() const;  ///< the real part alone
  Scalar im_scalar() const;  ///< the imaginary part alone; 0 of a real number
};

/// Conversion by VRIR's rules: integers wrap; a float becomes an integer by truncation toward zero, saturates, and NaN
/// becomes 0; to bool: not zero; to real: the imaginary part is omitted.
Scalar convert(const Scalar& v, Elem elem, bool complex);
inline Scalar convert(const Scalar& v, const ir::Type& t) { return convert(v, t.elem, t.complex); }

/// Whether the number counts as true: not zero (NaN does).
bool truth(const Scalar& v);

/// The value as an integer when it is one (a real number without fraction that int64 holds; a uint64 counts as the nearest
/// int64).
std::optional<int64_t> integral(const Scalar& v);

/// Loads a number from an element in memory, and stores one. `store` writes the number's own type.
Scalar load(const void* p, Elem elem, bool complex);
void store(void* p, const Scalar& v);

Value to_value(const Scalar& v);
Scalar from_value(const Value& v);

}  // namespace vr::interp
