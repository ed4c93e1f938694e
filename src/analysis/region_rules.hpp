// The rules of region detection for what is evaluated and assigned (thesis 6.3.2, table B.1), on trees: an expression
// counts as the assignments to temporaries that the thesis' simplification would make of it.
//
// | statement                                   | critical shapes (S) and values (V) before it                       |
// |---------------------------------------------|--------------------------------------------------------------------|
// | A = operators, library on arrays            | S - A + array operands                                             |
// | A = zeros(m, n), linspace(a, b, n), ...     | S - A, V + m, n                                                    |
// | t = A[i + m], affine, t not in V            | S + A, V + m                                                       |
// | t = A[...] otherwise, t not in V            | S, V                                                               |
// | t = A[i + m], t in V, A integers that the   | S + A, V - t + A + m                                               |
// |   region's loops leave alone                |                                                                    |
// | B = A[m:n]                                  | S - B + A, V + m, n                                                |
// | C = A[B]                                    | S - C + A + B, V + B                                               |
// | A[i + m] = t, no growth                     | as the read of A[i + m]                                            |
// | A[i + m] = t, may grow: affine only         | S + A, V + m                                                       |
// | A[B] = C, no growth only                    | S + A + B + C, V + B                                               |
// | t = u + v, t not in V                       | S, V                                                               |
// | t = u + v, u * v, u < v, ..., t in V        | S, V - t + u, v                                                    |
//
// Anything else that gives a critical value variable its value ends the region. Affine: the innermost loop around, as
// far as the region reaches, is a counted loop with affine bounds, and the expression is one of variables of such loops
// and of numbers that no loop of the region changes (`n = A.shape[0]` inside of a loop does not change n when nothing
// changes A's shape). Left open by the thesis and settled here:
// - Integers may be divided and go through min2, max2, mod, rem and the like; floats are divided by constants only.
//   float64 numbers may be critical values, because MATLAB counts in them; complex and float32 ones may not.
// - `dim(A, k)`, numel, length, size(A, k) follow from A's shape: S + A in place of a value.
// - Each subscript of a reference is looked at by itself, for their checks are: A is in S when one is affine.
// - A store that may grow outside of loops counts as affine with no loops around; a range as a subscript of one grows
//   like an element. Every subscript must be affine then. Stores that join are taken not to grow (6.5.2), so that none
//   gives an array another shape; who specialises makes sure.
// - Subscripts of slices follow the rules of their kinds; those of numbers change no shape. A slice whose bounds do not
//   follow from numbers has a shape that nobody can know: no region.
// - A mask's values make the shape of what it selects: V + mask where the mask is a variable whose loops leave it
//   alone, else no region; `find` likewise. Of integer subscripts only their checks need the values, so that an array
//   which the region computes itself is left out of V instead.
// - A store into an array of V, and an assignment to it, change the values: of masks that ends the region, of others
//   the claim is dropped. `A = B` passes it to B, `A = dimvec(B)` to B's shape.
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

/// A loop of the region, outermost first in lists of them.
struct RegionLoop {
  const ir::Stmt* stmt = nullptr;
  bool affine = false;
};

class RegionRules {
 public:
  /// Both must outlive this, and so must the statements' nodes.
  RegionRules(const ir::Function& f, const ir::Conventions& conventions) : function_(f), conventions_(conventions) {}

  /// Whether the statement by itself, without those inside of it, stands in no region whatever the sets are.
  bool refused(const ir::Stmt& s) const;

  using Loops = std::vector<RegionLoop>;
  /// Sets behind an assignment become those before it. False: it does not join the region (`sets` are as they were).
  bool assign(const ir::Assign& a, const Loops& loops, CriticalSets& sets) const;
  /// Adds what evaluating the expression asks for. False: it asks for what nobody can know.
  bool evaluate(const ir::ExprPtr& e, const Loops& loops, CriticalSets& sets) const;
  /// Adds what a number's value follows from. False: it does not follow from what may be critical (`sets` are spoilt).
  bool determined(const ir::Expr& e, CriticalSets& sets) const;
  /// The domain of a counted loop inside of `loops`: adds what evaluating it asks for, and what the bounds follow from
  /// when they are affine. False as for evaluate.
  bool domain(const ir::ExprPtr& e, const Loops& loops, CriticalSets& sets, bool& affine_bounds) const;
  /// Variables that the loop gives new values as a whole, its own among them.
  const std::set<ir::SymbolId>& assigned(const ir::Stmt& loop) const { return facts(loop).assigned; }
  /// Whether the body holds what may give one of the variables another shape or value.
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
