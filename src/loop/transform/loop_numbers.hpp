// The numbers that a serial loop on the host computes for the launches in it (private to src/loop).
#pragma once
#include "loop/exprs.hpp"

#include <map>
#include <set>

namespace vr::lower {

/// Whether the statement itself only computes a number from numbers, chooses, or leaves the loop or the call.
bool only_computes(const Stmt& s);

/// What one iteration of a loop on the host computes, as far as a kernel that it launches needs it: which variables
/// have the same value at all launches, and how the kernel can compute the others itself from one launch to the next.
class LoopNumbers {
 public:
  /// `loop`: a CountedLoop or Loop of `f`. launch_at: the number of the statement of its body that launches.
  LoopNumbers(const Stmt& loop, const Function& f, size_t launch_at);

  bool is_changed(VarId v) const { return changed_.count(v) != 0; }
  /// Whether each iteration gives the variable the same value, before the launch.
  bool is_invariant(VarId v) const { return !is_changed(v) || same_again_.count(v) != 0; }
  bool is_invariant(ExprP e) const;
  /// Notes that the kernel needs the variable. False: it cannot compute it.
  bool need(VarId v);
  /// The same for all variables of an expression that loads nothing.
  bool need(ExprP e);
  /// The same for the arguments of a launch of the host's function `f`, whose arrays the kernel cannot compute.
  bool need_arguments(const Function& f, const Launch& n);
  /// Needed variables that change.
  const std::set<VarId>& carried() const { return carried_; }
  /// What the carried variables are computed from, the same in all iterations.
  const std::set<VarId>& inputs() const { return inputs_; }
  /// A condition, the same in all iterations, under which the host's faults come in the first iteration or never.
  ExprP never_fail(Exprs& x) const;
  /// Assigns the carried variables what they are at the next launch.
  Block next(Exprs& x) const;

 private:
  const Block& body_;
  size_t at_;  ///< the number of the statement that launches
  std::map<VarId, int> changed_;
  VarId counter_ = none;
  std::set<VarId> same_again_;  ///< assigned the same value in each iteration, before the launch
  std::set<VarId> carried_, inputs_;
};

}  // namespace vr::lower
