// Intervals that contain the integers which a function computes (private to src/loop).
#pragma once
#include "loop/form.hpp"

#include <unordered_map>
#include <vector>

namespace vr::lower {

/// lo <= value <= hi. Wide enough for all values of all integer types.
struct ValueRange {
  __extension__ typedef __int128 Wide;
  Wide lo, hi;
  bool in(ValueRange other) const { return lo >= other.lo && hi <= other.hi; }
};

/// All values of the type; of Bool 0 and 1. Not for floats and Ptr.
ValueRange range_of(Scalar integer);

/// The values of integer expressions at all places of the function's body where they stand, by interval analysis with
/// widening (Cousot and Cousot, Abstract Interpretation, POPL 1977). Short loops with a constant number of iterations
/// are followed iteration by iteration, so that sums in them have bounds.
class ValueRanges {
 public:
  explicit ValueRanges(const Function& f);

  /// Of an expression of the body, of an integer type or Bool. What may wrap has all values of its type.
  ValueRange of(ExprP e) const;
  /// All that is assigned to the variable.
  ValueRange of(VarId v) const;

 private:
  using Wide = ValueRange::Wide;
  /// Of a variable, at one point: no values (control does not reach it), or a range.
  struct Known {
    ValueRange range{};
    bool any = false;
    bool add(ValueRange r);
    bool add(const Known& other) { return other.any && add(other.range); }
  };
  using Values = std::vector<Known>;  ///< of the variables of a list
  struct Frame {
    const std::vector<VarId>& assigned;  ///< the variables that the loop assigns
    Values breaks{}, continues{};
    bool breaks_out = false, continues_on = false;
  };

  void inputs();
  void visit(const Block& b);
  void visit(const Stmt& s);
  void branch(const If& n, const Stmt& s);
  void loop(const Stmt& s, const CountedLoop* counted);
  void follow(const CountedLoop& n, Frame& frame, Wide from, Wide to);
  void until_stable(const Stmt& s, const CountedLoop* counted, Frame& frame, ValueRange first, ValueRange end);
  void jump(Values& to, const std::vector<VarId>& assigned);
  const std::vector<VarId>& assigned_by(const Stmt& s);
  void set(VarId v, ValueRange r);
  Values values(const std::vector<VarId>& list) const;
  void restore(const std::vector<VarId>& list, const Values& values);
  bool merge(const std::vector<VarId>& list, const Values& more);
  void forget(const std::vector<VarId>& list);
  ValueRange value(ExprP e);
  ValueRange computed(const Expr& e);

  const Function& fn_;
  Values now_, all_;     ///< of all variables: here, and everything that was assigned
  bool reached_ = true;  ///< whether control reaches this point
  int64_t budget_;       ///< statements that follow() may still visit
  std::vector<Frame*> frames_;
  std::unordered_map<ExprP, Known> exprs_;
  std::unordered_map<const Stmt*, std::vector<VarId>> assigned_;
};

}  // namespace vr::lower
