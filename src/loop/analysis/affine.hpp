// Whole numbers that are affine in a loop's variable, and what they say about conditions in the loop.
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
  /// Float64 expressions, the same in all iterations, that must be whole numbers of at most 2^50 for this to hold; with a
  /// null among them the change over the loop must be as small.
  std::vector<ExprP> whole = {};
};

/// One loop, `for k in [lo, hi)`, as its body is gone through. Expressions that it makes are for the code before the loop,
/// where it puts what they share (`out`).
///
/// Conditions that it finds (never, always) imply theirs for every iteration; they may be false where the condition's truth
/// is the same all the same. An affine number that lies between two bounds at both ends of the loop does so in between,
/// for it changes by less than 2^61 over the loop (which is part of the condition): it cannot go round the end of Int64.
class Affine {
  /// Iterations that come to the statement at hand: none when first > last.
  struct Range {
    ExprP first, last;
    ExprP known = nullptr;  ///< has to hold for that; null: all of the loop do
  };

 public:
  /// changed: what the loop's body assigns, its variable included.
  Affine(Writer& out, const CountedLoop& loop, std::map<VarId, int> changed);

  /// From here to the end of the scope the variable, which the body assigns once, is `value`.
  void define(VarId v, ExprP value);
  /// From here to the end of the scope the Bool expression is `truth`: only some iterations come here.
  void narrow(ExprP c, bool truth);
  /// What was learned since is forgotten when it ends: that of a block which may not run.
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
  /// Of an Int64 expression, or one of float64 whose value is a whole number below 2^53.
  std::optional<Linear> linear(ExprP e);
  /// What has to hold before the loop so that the Bool expression is false (true) in all iterations; null: not known.
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
  /// The change over the whole loop is below 2^61, and what must be whole is.
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
