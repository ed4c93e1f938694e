// The rules of region detection for expressions and assignments (thesis 6.3.2, table B.1), on trees: an expression
// counts as the assignments to temporaries into which the thesis' simplification would split it.
//
// | statement                                   | critical shapes (S) and values (V) before it                       |
// |---------------------------------------------|--------------------------------------------------------------------|
// | A = operators, library on arrays            | S - A + array operands                                             |
// | A = zeros(m, n), linspace(a, b, n), ...     | S - A, V + m, n                                                    |
// | t = A[i + m], affine, t not in V            | S + A, V + m                                                       |
// | t = A[...] otherwise, t not in V            | S, V                                                               |
// | t = A[i + m], t in V, A integers that the   | S + A, V - t + A + m                                               |
// |   region's loops do not change              |                                                                    |
// | B = A[m:n]                                  | S - B + A, V + m, n                                                |
// | C = A[B]                                    | S - C + A + B, V + B                                               |
// | A[i + m] = t, no growth                     | as the read of A[i + m]                                            |
// | A[i + m] = t, may grow: affine only         | S + A, V + m                                                       |
// | A[B] = C, no growth only                    | S + A + B + C, V + B                                               |
// | t = u + v, t not in V                       | S, V                                                               |
// | t = u + v, u * v, u < v, ..., t in V        | S, V - t + u, v                                                    |
//
// Any other assignment to a critical value variable ends the region. Affine: the innermost loop of the region around
// the statement is a counted loop with affine bounds, and the expression is affine in the variables of such loops and
// in numbers that no loop of the region changes (`n = A.shape[0]` inside of a loop does not change n if nothing changes
// A's shape). The thesis leaves open, and this implementation defines:
// - Integers may be divided and be arguments of min2, max2, mod, rem and similar functions; floats may only be divided
//   by constants. float64 numbers may be critical values, because MATLAB's loop counters are float64; complex and
//   float32 numbers may not.
// - `dim(A, k)`, numel, length, size(A, k) depend on A's shape, so A is added to S instead of a value to V.
// - Each subscript of a reference is considered separately, as each has its own checks: A is in S if any is affine.
// - A store outside of loops that may grow its array counts as affine without loops; a range as its subscript grows
//   like an element. Then every subscript must be affine. Stores that join are assumed not to grow (6.5.2), so that
//   none changes an array's shape; code that specialises the region must prove that.
// - Subscripts of slices follow the rules of their kinds; numbers change no shape. A slice whose bounds do not depend
//   on numbers only has an unknown shape: no region.
// - A mask's values determine the shape of what it selects: V + mask if the mask is a variable that the loops do not
//   change, else no region; `find` likewise. Values of integer subscripts are needed only for their checks, so an array
//   that the region computes itself is not added to V.
// - A store into an array of V, and an assignment to it, change the values: for masks that ends the region, other
//   arrays are removed from V. `A = B` passes the requirement on to B, `A = dimvec(B)` to B's shape.
// - Several targets are assigned at once. Complex parts, casts and comparisons of arrays are operators on arrays.
// - Atomic operations (xchange) follow the rules of a read and a store; their value determines nothing.
#pragma once
#include "analysis/region_detection.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace vr::analysis {

/// A loop of the region; lists of them have the outermost first.
struct RegionLoop {
  const ir::Stmt* stmt = nullptr;
  bool affine = false;
};

class RegionRules {
 public:
  /// Both must outlive this, and so must the statements' nodes.
  RegionRules(const ir::Function& f, const ir::Conventions& conventions) : function_(f), conventions_(conventions) {}

  /// Whether the statement, without nested ones, cannot be part of a region, regardless of the sets.
  bool refused(const ir::Stmt& s) const;

  using Loops = std::vector<RegionLoop>;
  /// Transforms the sets after an assignment to those before it. False: it does not join, and `sets` is unchanged.
  bool assign(const ir::Assign& a, const Loops& loops, CriticalSets& sets) const;
  /// Adds the variables on which the checks and shapes of the expression depend. False: they depend on something that
  /// cannot be critical.
  bool evaluate(const ir::ExprPtr& e, const Loops& loops, CriticalSets& sets) const;
  /// Adds the variables on which a number's value depends. False: not all of these may be critical; `sets` is invalid.
  bool determined(const ir::Expr& e, CriticalSets& sets) const;
  /// The domain of a counted loop inside of `loops`: adds the variables on which its evaluation depends, and those of
  /// the bounds if they are affine. False: as for evaluate.
  bool domain(const ir::ExprPtr& e, const Loops& loops, CriticalSets& sets, bool& affine_bounds) const;
  /// Variables that the loop assigns as a whole, including its own.
  const std::set<ir::SymbolId>& assigned(const ir::Stmt& loop) const { return facts(loop).assigned; }
  /// Whether the body may give one of the variables another shape or value.
  bool redefines(const ir::Body& body, const CriticalSets& sets) const;

 private:
  struct LoopFacts {
    std::set<ir::SymbolId> inside;                  ///< variables that the body assigns as a whole
    std::set<ir::SymbolId> assigned;                ///< and the loop's own
    std::set<ir::SymbolId> stored;                  ///< arrays with stores to elements
    std::set<ir::SymbolId> early;                   ///< read before they are assigned in an iteration
    std::map<ir::SymbolId, const ir::Expr*> value;  ///< what is assigned; null: several, or one of several results
  };
  struct Pending;                                           ///< what the targets of an assignment remove and add
  enum class Form : uint8_t { Constant, Affine, Neither };  ///< Constant: affine without loop variables

  const LoopFacts& facts(const ir::Stmt& loop) const;
  bool may_be_value(ir::SymbolId id) const;
  bool may_grow(const ir::Index& i) const;
  bool unchanged(ir::SymbolId id, const ir::Stmt& loop, int depth) const;
  bool overlaps(ir::SymbolId stored, ir::SymbolId id) const;
  bool keeps_shape(ir::SymbolId id, const Loops& loops) const;
  bool keeps_elements(ir::SymbolId id, const Loops& loops) const;
  Form form(const ir::Expr& e, const Loops& loops, CriticalSets& sets) const;
  bool affine(const ir::Expr& e, const Loops& loops, CriticalSets& sets) const;
  bool needs(const ir::Expr& e, const Loops& loops, CriticalSets& sets) const;
  bool element_value(const ir::Index& i, const Loops& loops, CriticalSets& sets) const;
  bool element(const ir::Index& i, const Loops& loops, CriticalSets& sets, bool must) const;
  bool slice(const ir::Index& i, const Loops& loops, CriticalSets& sets, bool store) const;
  bool selector(const ir::ExprPtr& e, const Loops& loops, CriticalSets& sets, bool store) const;
  bool library(const ir::LibCall& c, const Loops& loops, CriticalSets& sets) const;
  bool extents(const std::vector<ir::ExprPtr>& args, size_t from, const Loops& loops, CriticalSets& sets) const;
  bool target(const ir::ExprPtr& t, const ir::ExprPtr& value, const Loops& loops, Pending& p) const;

  const ir::Function& function_;
  const ir::Conventions& conventions_;
  mutable std::unordered_map<const ir::Stmt*, LoopFacts> facts_;
};

/// Whether the reference is to one element, not to a slice or selection.
bool one_element(const ir::Index& i);
/// 6.2.1: a loop that works on arrays, or two vector operations.
bool interesting(const ir::Body& statements);

}  // namespace vr::analysis
