// Intervals of a kernel's whole numbers, as expressions of the host that launches it (private to src/lower).
#pragma once
#include "loop/writer.hpp"

#include <optional>

namespace vr::lower {

/// lo <= value <= hi, both simple expressions of the host, of absolute value below 2^bits.
struct Interval {
  ExprP lo, hi;
  int bits;
};

/// What the host knows of the values that a kernel's work-items compute, and what it has to find for that to hold.
class LaunchIntervals {
 public:
  explicit LaunchIntervals(Writer& host) : out_(host), x_(host.x) {}

  /// The kernel's scalar parameters and its arrays' extents and strides, where its body does not assign them, are what the
  /// host has in `args`.
  void inputs(const Function& kernel, const std::vector<Operand>& args);
  /// null: none.
  ExprP input_value(VarId in) const;
  /// The variable, which the kernel assigns here, has another interval from here on.
  void define(const SetVar& s);
  /// The expression as the host computes it; null when it is not made of the kernel's inputs alone.
  ExprP host(ExprP e);
  /// A whole number that the host knows; launches of the version have it below 2^31.
  Interval number(ExprP value);
  std::optional<Interval> value(ExprP e);
  Interval join(const Interval& a, const Interval& b);
  /// What the host has to find so that `c` is `truth` for every work-item; null when it cannot know.
  ExprP always(ExprP c, bool truth);
  /// Whether `c` is `truth` for every work-item by what is required already.
  bool implied(ExprP c, bool truth);
  /// Narrows what is known of variables behind the condition; true when it says something.
  bool narrow_by(ExprP c, bool truth);

  void require(ExprP c);
  /// All that is required; null: too much, or what never holds.
  ExprP guard();
  ExprP keep(ExprP e) { return out_.keep(e, "end"); }

  std::map<VarId, Interval> state;  ///< of variables that do change, at the statement at hand

 private:
  std::optional<Interval> binary(const Expr& e);
  /// The same numbers after arithmetic in `type`, where nothing may have wrapped.
  std::optional<Interval> as_type(Interval v, Scalar type);
  bool narrow_variable(ExprP e, Op op, ExprP by);

  Writer& out_;
  Exprs& x_;
  std::map<VarId, ExprP> inputs_;
  std::vector<ExprP> conditions_;
  bool too_many_ = false;
};

}  // namespace vr::lower
