// Loads of a kernel's serial loops that a work-group shares (private to src/loop).
#pragma once
#include "loop/analysis/dim_dependence.hpp"
#include "loop/exprs.hpp"

#include <map>
#include <vector>

namespace vr::lower {

/// Elements of an array that a loop loads and that differ along one of the kernel's first two dimensions.
struct Staged {
  std::vector<ExprP> loads;  ///< of the same element
  size_t dim;
  ExprP offset;       ///< in terms of the dimension's variable, the loop's, and what is the same in the group
  bool along_loop;    ///< consecutive iterations of the loop load consecutive elements
  VarId data = none;  ///< in local memory
};

struct LoopInTiles {
  const CountedLoop* loop;
  std::vector<Staged> loads;
};

/// The loops whose loads are staged: the first that can be, and those that follow it in the same block. Refers to the
/// kernel and `dims`.
class StagedLoads {
 public:
  /// single: one loop at most.
  StagedLoads(Exprs& x, const Function& kernel, const DimDependence& dims, bool single);

  std::vector<LoopInTiles> loops;

  bool is_staged(ExprP load) const;
  /// The loop with this variable; null: it is not staged. (Copies of a loop's statement are not the same object.)
  const LoopInTiles* find(const CountedLoop& n) const;
  /// Whether the variable is assigned once, a number that can be computed again anywhere in the kernel.
  bool is_address(VarId v) const { return known_.count(v) != 0; }

 private:
  bool search(const Block& b);
  void note(const Stmt& s);
  bool collect(const CountedLoop& n);
  void find(const CountedLoop& n, ExprP e);
  bool add(const CountedLoop& n, ExprP load, size_t dim);

  Exprs& x_;
  const Function& kernel_;
  const DimDependence& dims_;
  const std::map<VarId, int> times_;
  std::map<VarId, ExprP> known_;
  std::map<VarId, int> changed_;
  const bool single_;
  std::vector<Staged> loads_;  ///< of the loop that is looked at
  bool fits_ = true;
};

}  // namespace vr::lower
