// Integers that are affine in a loop's variable, and what that implies for conditions in the loop.
#pragma once
#include "loop/writer.hpp"

#include <map>
#include <optional>
#include <vector>

namespace vr::lower {

/// base + step * k (modulo 2^64) in the iteration with the loop variable k. Base and step are Int64 expressions that can be
/// computed before the loop.
struct Linear {
  ExprP base, step;
  /// Float64 expressions, loop invariants, that must be integers of at most 2^50 for this to hold. A null element of
  /// the list requires the same bound of the number's change over the loop.
  std::vector<ExprP> whole = {};
};

/// One loop, `for k in [lo, hi)`, while its body is traversed. The expressions that this class makes are for the code
/// before the loop; their common subexpressions are assigned there (`out`).
///
/// The conditions that it finds (never, always) are sufficient, not necessary: if one holds, the condition in the loop
/// has that truth value in every iteration. An affine number that is within bounds at both ends of the loop is so in
/// between, because it changes by less than 2^61 over the loop (part of the condition) and so cannot wrap around Int64.
class Affine {
  /// The iterations that reach the current statement: none when first > last.
  struct Range {
    ExprP first, last;
    ExprP known = nullptr;  ///< the condition for that; null: it always holds
  };

 public:
  /// changed: the variables that the loop's body assigns, including the loop's variable.
  Affine(Writer& out, const CountedLoop& loop, std::map<VarId, int> changed);

  /// From here to the end of the scope the variable, which the body assigns once, is `value`.
  void define(VarId v, ExprP value);
  /// From here to the end of the scope the Bool expression is known to be `truth`, because this code runs under that
  /// condition.
  void narrow(ExprP c, bool truth);
  /// Discards at its end what was learned since its start: for a block that may not be executed.
  class Scope {
   public:
    explicit Scope(Affine& a) : a_(a), defined_(a.defined_), range_(a.range_) {}
    ~Scope() {
      a_.defined_ = std::move(defined_);
      a_.range_ = range_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Affine& a_;
    std::map<VarId, Linear> defined_;
    Range range_;
  };

  bool same_in_all(ExprP e) const;
  /// For an Int64 expression, or a float64 one whose value is an integer below 2^53.
  std::optional<Linear> linear(ExprP e);
  /// A condition, before the loop, under which the Bool expression is false (true) in all iterations; null: none was found.
  ExprP never(ExprP c) { return all(c, false); }
  ExprP always(ExprP c) { return all(c, true); }
  /// The number as an Int64 expression of the loop's variable, for its body.
  ExprP in_loop(const Linear& n);

 private:
  std::optional<Linear> integer(ExprP e);
  std::optional<Linear> real(ExprP e);
  std::optional<Linear> combine(Op op, std::optional<Linear> a, std::optional<Linear> b);
  ExprP all(ExprP c, bool truth);
  ExprP comparison(Op op, ExprP a, ExprP b);
  ExprP at(const Linear& n, ExprP k);
  /// That the change over the whole loop is below 2^61, and that the numbers of `whole` are integers.
  ExprP holds(const Linear& n);
  void narrow(Op op, const Linear& n, ExprP bound);

  Writer& out_;
  Exprs& x_;
  const VarId var_;
  const std::map<VarId, int> changed_;
  ExprP count_;
  Range range_;
  std::map<VarId, Linear> defined_;
};

}  // namespace vr::lower
