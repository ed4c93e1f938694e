// The part of a loop's iterations that does not depend on other iterations.
#pragma once
#include "loop/analysis/runs.hpp"

#include <set>
#include <vector>

namespace vr::lower {

/// Divides the body of a loop of a kernel, which has no inner loops, in two: statements that use nothing that another iteration
/// assigns, and the rest (sums, for example), which needs some of their values. So the first part of several iterations can run at
/// the same time and before the second part of any (loop distribution with scalar expansion: Allen and Kennedy, Optimizing
/// Compilers for Modern Architectures, 5.3 and 6.2.1).
class IndependentPart {
 public:
  /// Refers to `loop`, `runs` and `dims`. whole: the body of the function `fn`, with the loop in it.
  IndependentPart(const Function& fn, const Block& whole, const CountedLoop& loop, const Runs& runs, const DimDependence& dims);

  /// Whether this statement of the loop's body belongs to the first part.
  bool contains(const Stmt& s) const { return statements_.count(&s) != 0; }
  /// False: the second part needs values that cannot be stored in an array because they have less than 4 bytes.
  bool fits() const { return fits_; }
  struct Value {
    const Stmt* user;  ///< the statement of the rest that has it as an operand
    ExprP value;
  };
  /// The values that the second part needs: variables of the first part, and operands of the second part, which the
  /// first part computes after its statements. Their types have 4 or 8 bytes. Operands that are cheap to compute are
  /// left to the second part.
  const std::vector<Value>& values() const { return values_; }
  /// Whether there are loads that no run has, of elements that differ between iterations, in the first part or the values.
  bool loads() const { return loads_; }
  /// Variables that the first part assigns.
  const std::set<VarId>& own() const { return own_; }
  /// Variables that the first part and the values use and the loop does not assign; not those of the addresses of runs.
  const std::set<VarId>& inputs() const { return inputs_; }
  /// Approximately how many additions fewer the second part has in each iteration.
  int64_t work() const { return work_; }

 private:
  bool independent(ExprP e) const;
  bool known_loads_alone(const Stmt& s, ExprP e) const;
  int64_t cost(const Stmt& s, ExprP e) const;
  void take(const Stmt& s, ExprP e);
  void needs(const Stmt& s, ExprP e);
  void rest(const Stmt& s, bool certain);
  void operands(const Stmt& s, ExprP e, bool certain);
  bool uses_own(ExprP e) const;

  const CountedLoop& loop_;
  const Runs& runs_;
  const DimDependence& dims_;
  std::map<VarId, int> changed_;
  std::set<VarId> own_;  ///< assigned by the first part
  std::set<const Stmt*> statements_;
  std::vector<Value> values_;
  std::set<VarId> inputs_;
  int64_t work_ = 0;
  bool fits_ = true, loads_ = false;
};

}  // namespace vr::lower
