// What shape inference knows of a number: the interval that it lies in, and how it follows from the variables of the
// loops around (thesis 6.5.1, 6.6 equation 6.3). All arithmetic is that of whole numbers without bounds: what wraps in
// VRIR is for the caller to see to (`within`).
#pragma once
#include <velociraptor/ir/types.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace vr::analysis {

/// The whole numbers from lo to hi. The ends of int64 stand for "no bound": arithmetic saturates there.
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
/// Toward zero, of numbers that lie within int64; nothing when b can be nothing but zero.
std::optional<Interval> quotient(const Interval& a, const Interval& b);
inline Interval hull(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
/// Both at once; nothing when there is no such number.
inline std::optional<Interval> meet(const Interval& a, const Interval& b) {
  Interval r{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return r.lo <= r.hi ? std::optional(r) : std::nullopt;
}
inline Interval min(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
inline Interval max(const Interval& a, const Interval& b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }

/// The variable of a loop, in the iteration that runs or ran last: the loop's statement, and which of its dimensions.
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

/// A real number, one that need not be known to be whole.
struct Number {
  bool whole = false;  ///< a whole number, which lies in `range`; else nothing is known
  Interval range;
  std::vector<Term> terms;  ///< when not empty, the number is their sum and something in `rest`; rising, no factor 0
  Interval rest;

  static Number unknown() { return {}; }
  static Number in(const Interval& i) { return {true, i, {}, {}}; }
  static Number of(int64_t v) { return in(Interval::of(v)); }
  static Number variable(const LoopVariable& v, const Interval& range) {
    return {true, range, {{v, 1}}, Interval::of(0)};
  }
  std::optional<int64_t> constant() const { return whole && range.single() ? std::optional(range.lo) : std::nullopt; }
  Interval sum_rest() const { return terms.empty() ? range : rest; }  ///< what the terms leave
  /// Without what it has to do with loop variables.
  Number plain() const { return {whole, range, {}, {}}; }
  friend bool operator==(const Number&, const Number&) = default;
};

Number operator+(const Number& a, const Number& b);
Number operator-(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator-(const Number& a);
/// What holds of both.
Number join(const Number& a, const Number& b);

/// The numbers of an element type: of float64 those within 2^53, up to which whole numbers are exact; of float32
/// and uint64 nothing is followed.
std::optional<Interval> numbers_of(ir::Elem e);
/// Truth values and the integers whose values an int64 holds: all but uint64.
constexpr bool known_whole(ir::Elem e) { return !ir::is_float(e) && e != ir::Elem::UInt64; }
/// All that a scalar or element of this type can be.
Number any_of(const ir::Type& t);
/// The result of arithmetic in type e, given what it is without bounds: the same where it fits for certain.
Number computed(const Number& n, ir::Elem e);
/// The number as a value of another element type: unchanged where it fits, else anything of the type (it wraps,
/// saturates or rounds).
Number converted(const Number& n, const ir::Type& to);

}  // namespace vr::analysis
