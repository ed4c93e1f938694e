// shape_inference: extents and strides of arrays, values of whole numbers, at every point of a function (thesis 6.5),
// from what is known of its arguments. Forward data flow to the fixed point, with intervals; loops end by widening.
//
// Growth (6.5.2): a store that could enlarge its array, in loops whose bounds and whose subscripts follow from the
// loops' variables, is first taken not to. Then integer programs look whether that is so with the shapes found (6.6);
// what they cannot show is given up, and all is inferred anew, until nothing has to be given up.
#pragma once
#include "analysis/region_facts.hpp"
#include "analysis/shape_value.hpp"
#include "analysis/statements.hpp"

#include <map>

namespace vr::analysis {

class IntegerPrograms;

/// What holds at a program point: a value for each variable, in the order of the symbol table. Values are shared.
struct ShapeState {
  bool reached = false;  ///< false: control never comes here, and there are no values
  std::vector<ShapeValuePtr> variables;
};

/// What one dimension of a loop counts through, as it is when the loop begins.
struct IterationBounds {
  bool whole = false;  ///< all values are whole numbers, in `range`
  bool known = false;  ///< that, and the step is known to be positive or negative
  Number first, last;  ///< no value lies before `first` or behind `last`, in the direction of the step
  Interval step;
  Interval range;      ///< all values
  bool runs = false;   ///< at least one value, for certain
  bool never = false;  ///< none, for certain
  bool affine() const { return known && step.single(); }
};

/// One dimension of an array being subscripted, as it is at that point. The positions lie inside, whichever come, when
/// no number of `low` is below the module's base and none of `high` is above base + extent - 1.
struct SubscriptAccess {
  const ir::Expr* node = nullptr;  ///< the Index or Xchange
  size_t axis = 0;
  bool store = false;
  bool known = false;  ///< low and high say something
  bool range = false;
  std::vector<Number> low, high;
  Interval extent;  ///< of the dimension, or of those that the last subscript runs over
};

struct ShapeInference {
  Statements statements;
  std::vector<ShapeState> before;  ///< a statement: when it evaluates its expressions (of a while: each time)
  std::vector<ShapeState> after;   ///< of assignments: behind them; of loops: when an iteration begins
  std::vector<std::vector<SubscriptAccess>> accesses;  ///< a statement: in the order of evaluation
  std::map<LoopVariable, IterationBounds> loops;
  int assumed = 0;  ///< stores taken not to grow, and shown not to
  int refuted = 0;  ///< stores for which that was given up
  int rounds = 0;   ///< of inference

  /// The value of a variable in a state that is reached.
  const ShapeValue& value(const ir::Function& f, const ShapeState& s, ir::SymbolId id) const;
  /// How often statements use arrays, and at how many of these uses all extents are known.
  struct Known {
    int uses = 0, known = 0;
  };
  Known known(const ir::Function& f) const;
  std::string text(const ir::Function& f) const;
};

/// The function must be one of the verified module, and outlive the answer; facts must fit it (check_region_facts).
/// `programs` answers for growth and keeps statistics. Of functions whose statements times variables pass some millions
/// nothing is inferred: no state is reached.
ShapeInference shape_inference(const ir::Function& f, const ir::Module& module, const ir::Conventions& conventions,
                               const RegionFacts& facts, IntegerPrograms& programs);

}  // namespace vr::analysis
