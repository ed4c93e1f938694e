// Intervals of a kernel's integers, with ends that the host computes before a launch (private to src/loop).
#pragma once
#include "loop/analysis/loop_range.hpp"
#include "loop/writer.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace vr::lower {

/// lo <= value <= hi, both simple expressions of the host, of absolute value below 2^bits (integers), provided that
/// `valid` holds on the host (null: always): products of unknown numbers are limited to what subscripts can be, which
/// only their use requires.
struct Interval {
  ExprP lo, hi;
  int bits;
  ExprP valid = nullptr;
  bool of_type = false;  ///< depends on LaunchIntervals::Types
};

using Intervals = std::map<VarId, Interval>;

/// What the host knows of the values that a kernel's work-items compute, and the conditions under which it holds.
class LaunchIntervals {
 public:
  explicit LaunchIntervals(Writer& host) : out_(host), x_(host.x) {}

  /// Makes the kernel's scalar parameters and its arrays' extents and strides known as the values in the host's `args`, unless
  /// the kernel's body assigns them.
  void inputs(const Function& kernel, const std::vector<Operand>& args);
  /// Makes the values of variables known that the kernel assigns once, where the host can compute them (`inputs` comes
  /// first).
  void single_values(const Function& kernel);
  /// The host's value of an input; null: it is not an input.
  ExprP input_value(VarId in) const;
  /// The kernel's assignment changes the interval of its variable from here on.
  void define(const SetVar& s);
  /// Sets the interval of the loop's variable and of its sum with the start of the source range. Returns whether the
  /// bounds are known.
  bool enter(const CountedLoop& n);
  /// The expression with the same value on the host; null if it depends on more than the kernel's inputs.
  ExprP host(ExprP e);
  /// An integer that the host knows; unless it is constant, requires its absolute value to be at most 2^31.
  Interval number(ExprP value);
  std::optional<Interval> value(ExprP e);
  /// Both conditions of validity; null: always.
  ExprP both_valid(ExprP a, ExprP b) { return a && b && a != b ? x_.both(a, b) : a ? a : b; }
  Interval join(const Interval& a, const Interval& b);
  /// The condition, on the host, under which `c` is `truth` for every work-item; null: the host cannot know.
  ExprP always(ExprP c, bool truth);
  /// Whether the conditions required so far imply that `c` is `truth` for every work-item.
  bool implied(ExprP c, bool truth);
  /// Narrows the intervals of variables by what the condition (being `truth`) implies; true if one was narrowed. learn:
  /// variables without an interval get one if the condition tells both ends.
  bool narrow_by(ExprP c, bool truth, bool learn = false);

  void require(ExprP c);
  /// The number of conditions that are required, and a return to that number: for statements that are walked on trial.
  size_t required() const { return conditions_.size(); }
  void require_only(size_t first) { conditions_.resize(first); }
  /// The conjunction of all that is required; null: too many conditions, or one that never holds.
  ExprP guard();
  ExprP keep(ExprP e);

  bool limit_products = false;  ///< products of unknown numbers have intervals, with Interval::valid
  bool limited = false;         ///< a result of always() depends on that
  /// What is only likely: arrays are often as long as their subscripts' types allow, but these may have no such values.
  struct Types {
    bool assume =
        false;  ///< numbers of 8 and 16 bits, bits of a constant, and remainders have all values that they can
    bool floats = false;   ///< likewise numbers of floats, whose operations the device rounds as the host does
    bool assumed = false;  ///< a result of always() depends on that
  };
  Types types;

  /// Of variables that change, at the current statement. While narrow_by() walks a condition that tells the ends of a
  /// variable's interval one after the other, those that are not yet known are null.
  Intervals state;

 private:
  /// a / b or the remainder, of integers, where the kernel may divide; any number elsewhere.
  ExprP whole_division(Op op, ExprP a, ExprP b);
  /// Of t < 0 ? t + n : t, where t is a remainder by n: a number from 0 to n - 1.
  std::optional<Interval> in_cycle(const Expr& e);
  std::optional<Interval> computed(ExprP e);
  std::optional<Interval> of_type(const Expr& e);
  /// Of a float, which is a number.
  std::optional<Interval> real(ExprP e);
  std::optional<Interval> real_binary(const Expr& e);
  ExprP ordinary(ExprP e);
  std::optional<Interval> whole(const Expr& e);
  std::optional<Interval> binary(const Expr& e);
  /// The least number 2^k - 1 that is not less than n, which is not negative; simple.
  ExprP all_bits(ExprP n);
  /// The interval v of a sum, narrowed by what its terms have to do with each other (linear_bounds.hpp).
  std::optional<Interval> related(const Expr& e, Interval v);
  /// The interval of the sum of the range's start and the loop variable.
  std::optional<Interval> in_range(const Expr& e);
  std::optional<Interval> product(Interval a, Interval b, Scalar type);
  std::optional<Interval> chosen(const Expr& e);
  /// The interval after arithmetic in `type`, provided that nothing can wrap.
  std::optional<Interval> as_type(Interval v, Scalar type);
  std::set<VarId> between(ExprP c) const;
  bool narrow(ExprP c, bool truth);
  bool narrow_variable(ExprP e, Op op, ExprP by);
  /// The value assigned to a Bool variable, if it is known; other expressions are returned unchanged.
  ExprP condition(ExprP c) const;

  Writer& out_;
  Exprs& x_;
  std::map<VarId, ExprP> inputs_;
  std::set<VarId> reassigned_;              ///< assigned more than once in the kernel
  std::map<VarId, ExprP> conditions_of_;    ///< of Bool variables
  std::map<VarId, ExprP> definitions_;      ///< of variables that the kernel assigns once
  std::map<VarId, LoopRange> ranges_;       ///< of the variables of loops
  std::map<VarId, ExprP> kept_;             ///< values of the host's variables that keep() made
  std::vector<ExprP> conditions_;
  bool too_many_ = false;
  bool depends_on_types_ = false;  ///< the last value()
};

}  // namespace vr::lower
