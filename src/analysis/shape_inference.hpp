// shape_inference: extents and strides of arrays and values of integers, at every point of a function (thesis 6.5),
// given facts about its arguments. Forward data flow to the fixed point, on intervals; widening makes loops terminate.
//
// Growth (6.5.2): a store that could enlarge its array is at first assumed not to, if the bounds of the loops around it
// and its subscripts depend on loop variables. Then integer programs try to prove that with the inferred shapes (6.6);
// assumptions that cannot be proven are dropped, and inference is repeated until none has to be dropped.
#pragma once
#include "analysis/region_facts.hpp"
#include "analysis/shape_value.hpp"
#include "analysis/statements.hpp"

#include <map>

namespace vr::analysis {

class IntegerPrograms;

/// Facts at a program point: a value for each variable, in the order of the symbol table. Values are shared.
struct ShapeState {
  bool reached = false;  ///< false: control never reaches this point, and there are no values
  std::vector<ShapeValuePtr> variables;
};

/// The iterations of one dimension of a loop, with the values at the loop's start.
struct IterationBounds {
  bool whole = false;  ///< all values are integers, in `range`
  bool known = false;  ///< `whole`, and the sign of the step is known
  Number first, last;  ///< no value is before `first` or after `last`, in the direction of the step
  Interval step;
  Interval range;      ///< all values
  bool runs = false;   ///< certainly at least one value
  bool never = false;  ///< certainly none
  bool affine() const { return known && step.single(); }
};

/// One dimension of a subscripted array, at the subscript's point of the program. All positions are within bounds if no
/// number of `low` is below the module's base and none of `high` is above base + extent - 1.
struct SubscriptAccess {
  const ir::Expr* node = nullptr;  ///< the Index or Xchange
  size_t axis = 0;
  bool store = false;
  bool known = false;  ///< `low` and `high` are known
  bool range = false;
  std::vector<Number> low, high;
  Interval extent;  ///< of the dimension, or of all dimensions that the last subscript runs over
};

struct ShapeInference {
  Statements statements;
  std::vector<ShapeState> before;  ///< for each statement: when it evaluates its expressions (a while: each time)
  std::vector<ShapeState> after;   ///< for each statement: after an assignment; at the start of an iteration of a loop
  std::vector<std::vector<SubscriptAccess>> accesses;  ///< for each statement: in the order of evaluation
  std::map<LoopVariable, IterationBounds> loops;
  int assumed = 0;  ///< stores assumed not to grow, and proven not to
  int refuted = 0;  ///< stores for which the assumption was dropped
  int rounds = 0;   ///< of inference

  /// The value of a variable in a state whose point is reached.
  const ShapeValue& value(const ir::Function& f, const ShapeState& s, ir::SymbolId id) const;
  /// How often statements use arrays, and how many of these uses have known extents.
  struct Known {
    int uses = 0, known = 0;
  };
  Known known(const ir::Function& f) const;
  std::string text(const ir::Function& f) const;
};

/// The function must be one of the verified module, and outlive the result; the facts must fit it (check_region_facts).
/// `programs` proves assumptions on growth and keeps statistics. If statements times variables exceed some millions
/// nothing is inferred: no state is reached.
ShapeInference shape_inference(const ir::Function& f, const ir::Module& module, const ir::Conventions& conventions,
                               const RegionFacts& facts, IntegerPrograms& programs);

}  // namespace vr::analysis
