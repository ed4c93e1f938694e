// Accesses of a loop to consecutive elements: parts of rows that the loop's iterations walk along.
#pragma once
#include "loop/analysis/affine.hpp"
#include "loop/analysis/dim_dependence.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace vr::lower {

/// Accesses of a loop of a kernel at addresses that are affine in the loop's variable: iteration k accesses the element
/// with subscript base + step * k along each axis.
struct Run {
  VarId data;
  Scalar type;
  std::vector<Linear> index;
  std::vector<ExprP> stride;
  /// Bytes between the elements of consecutive iterations; null: unit stride.
  ExprP step = nullptr;
  bool apart = false;           ///< consecutive work-items along dims[0] access different elements
  const Stmt* store = nullptr;  ///< null: a load
};

/// The dimensions of the kernel on which the run's first element depends.
DimSet dims_of(const DimDependence& dims, const Run& run);
/// Whether both access the same elements of an array, where the variables of the addresses have the same values.
bool same_elements(const Run& a, const Run& b);

/// Which accesses are runs. Aligned: those with unit stride along the loop that begin at the same position of a row for
/// all work-items, so that vectors of all of them may be aligned. Any: all whose step is loop invariant; only loads, if
/// it is no unit stride.
enum class RunKinds : uint8_t { Aligned, Any };

/// The runs of a loop without inner loops. Their element types have at least 4 bytes; arrays that are loaded are read
/// only, arrays that are stored are accessed by nothing else in the loop, and the access is made in each iteration.
class Runs {
 public:
  /// `before`: where computations that the addresses need are written. dims: of values alone.
  Runs(Writer& before, const DimDependence& dims, const CountedLoop& loop, RunKinds kinds = RunKinds::Aligned);

  std::vector<Run> runs;
  std::map<std::pair<const Stmt*, ExprP>, size_t> of;  ///< for each load the run to which it belongs
  std::set<std::pair<const Stmt*, ExprP>> certain;     ///< those that every iteration executes
  bool fits = true;     ///< the body has no statements other than assignments, stores and conditions
  bool others = false;  ///< there are loads that belong to no run

  /// The run of an access, which is not one of `runs`.
  std::optional<Run> run_of(ExprP base, ExprP offset, Scalar type);
  /// The same for elements of any size: those of a run have at least four bytes.
  std::optional<Run> elements_of(ExprP base, ExprP offset, Scalar type);
  /// Whether all iterations load the same element, of an array that the kernel does not write.
  bool is_uniform(ExprP load) const { return dims_.is_constant_load(load) && affine_.same_in_all(load->b); }

  /// The offset of a run's element in iteration k.
  static ExprP at(Exprs& x, const Run& run, ExprP k);
  using Element = std::function<ExprP(size_t run)>;
  using Instead = std::function<ExprP(ExprP)>;
  /// A statement of the body (or of a block in it), with `element` in place of the loads of each run. instead: what takes the
  /// place of an expression; null: nothing does.
  Stmt with_elements(Exprs& x, const Stmt& s, const Element& element, const Instead& instead = {}) const;
  /// The same for an expression of the statement.
  ExprP with_elements(Exprs& x, const Stmt& s, ExprP e, const Element& element, const Instead& instead = {}) const;

 private:
  void block(const Block& b);
  void inner(const Block& b);
  void touch(ExprP base);
  void known_loads(const Stmt& s, ExprP e);
  void loads(const Stmt& s, ExprP e);
  void store(const Stmt& s);
  std::optional<Run> constant_run(ExprP load);
  size_t place_of(const Run& run) const;
  ExprP parts_with_elements(Exprs& x, const Stmt& s, ExprP e, const Element& element, const Instead& instead) const;

  const Function& fn_;
  const DimDependence& dims_;
  const RunKinds kinds_;
  Exprs& x_;
  Affine affine_;
  std::map<VarId, int> touched_;  ///< by data variable, how often its array is accessed
};

}  // namespace vr::lower
