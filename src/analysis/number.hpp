// What shape inference knows about a number: an interval, and how the number depends on the variables of the enclosing
// loops (thesis 6.5.1, 6.6 equation 6.3). Arithmetic is that of unbounded integers: callers must account for VRIR's
// wrapping (`within`).
#pragma once
#include <velociraptor/ir/types.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace vr::analysis {

/// The integers from lo to hi. The ends of int64 mean "no bound": arithmetic saturates there.
struct Interval {
  static constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  int64_t lo = least, hi = most;

  static constexpr Interval of(int64_t v) { return {v, v}; }
  static constexpr Interval at_least(int64_t v) { return {v, most}; }
  bool single() const { return lo == hi; }
  bool contains(int64_t v) const { return lo <= v && v <= hi; }
  bool within(const Interval& o) const { return o.lo <= lo && hi <= o.hi; }
  friend bool operator==(const Interval&, const Interval&) = default;
  std::string text() const;  ///< "5", "0..9", "3..", "..7", "?"
};

Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval operator-(const Interval& a);
/// Quotient rounded toward zero, of numbers within int64; nullopt if b can only be zero.
std::optional<Interval> quotient(const Interval& a, const Interval& b);
inline Interval hull(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
/// The intersection; nullopt if it is empty.
inline std::optional<Interval> meet(const Interval& a, const Interval& b) {
  Interval r{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return r.lo <= r.hi ? std::optional(r) : std::nullopt;
}
inline Interval min(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
inline Interval max(const Interval& a, const Interval& b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }

/// The variable of one dimension of a loop, in the current or last iteration: the loop's statement, and the dimension.
struct LoopVariable {
  int statement = 0;
  int dim = 0;
  friend auto operator<=>(const LoopVariable&, const LoopVariable&) = default;
};
struct Term {
  LoopVariable variable;
  int64_t factor = 0;
  friend bool operator==(const Term&, const Term&) = default;
};

/// A real number, which may not be known to be an integer.
struct Number {
  bool whole = false;  ///< an integer within `range`; false: nothing is known
  Interval range;
  std::vector<Term> terms;  ///< if not empty, the number is their sum plus a number in `rest`; sorted, no factor is 0
  Interval rest;

  static Number unknown() { return {}; }
  static Number in(const Interval& i) { return {true, i, {}, {}}; }
  static Number of(int64_t v) { return in(Interval::of(v)); }
  static Number variable(const LoopVariable& v, const Interval& range) {
    return {true, range, {{v, 1}}, Interval::of(0)};
  }
  std::optional<int64_t> constant() const { return whole && range.single() ? std::optional(range.lo) : std::nullopt; }
  Interval sum_rest() const { return terms.empty() ? range : rest; }  ///< the range of what the terms leave
  /// The same number without its dependence on loop variables.
  Number plain() const { return {whole, range, {}, {}}; }
  friend bool operator==(const Number&, const Number&) = default;
};

Number operator+(const Number& a, const Number& b);
Number operator-(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator-(const Number& a);
/// The facts that hold for both numbers.
Number join(const Number& a, const Number& b);

/// The range of integers that an element type represents exactly: for float64 up to 2^53 in magnitude; nullopt for
/// float32 and uint64, which are not tracked.
std::optional<Interval> numbers_of(ir::Elem e);
/// Bool and the integer types whose values an int64 holds: all except uint64.
constexpr bool known_whole(ir::Elem e) { return !ir::is_float(e) && e != ir::Elem::UInt64; }
/// Any value that a scalar or element of this type can have.
Number any_of(const ir::Type& t);
/// The result of arithmetic in type e, given the unbounded result: the same if it certainly fits.
Number computed(const Number& n, ir::Elem e);
/// The number converted to another element type: unchanged where it fits, else any value of the type (it wraps,
/// saturates or is rounded).
Number converted(const Number& n, const ir::Type& to);

}  // namespace vr::analysis
