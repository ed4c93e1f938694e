// loop_info: what a loop's body does (thesis 5.5). One walk over the statements, no fixed point.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <set>
#include <string>

namespace vr::analysis {

struct LoopInfo {
  std::set<ir::SymbolId>
      assigned;  ///< whole variables assigned in the body: scalars, arrays, loop variables of inner loops
  std::set<ir::SymbolId> stored;  ///< arrays stored to through a subscript
  /// Array and tuple variables whose storage another variable may come to share: assigned as a whole, part of a tuple,
  /// or passed to a call with an array as result.
  std::set<ir::SymbolId> shared;
  std::set<ir::SymbolId> viewed;  ///< the same for slices of the variable, if the module's slices are views
  std::set<ir::SymbolId> used;    ///< every variable that occurs
  std::set<std::string> calls;    ///< functions of the module or handles that may be called
  std::set<std::string> library;  ///< library functions on arrays that are called
  bool has_loop = false;          ///< another loop inside
  bool has_atomic = false;        ///< atomic operations: iterations access the same elements
  bool has_alloc = false;         ///< array allocations
  bool has_return = false;
  bool has_break = false;
  bool has_continue = false;
  int statements = 0;
  /// Sorted lists, one per line; for tests and VR_DUMP.
  std::string text(const ir::Function& f) const;
};

/// Information on one body (of a loop, or of a function).
LoopInfo loop_info(const ir::Body& body);

/// A loop of a function, with its position in the nest.
struct Loop {
  int statement = 0;  ///< number of the loop's statement (analysis::Statements)
  int parent = -1;    ///< the loop around it, as an index into the list of loops; -1: none
  std::vector<int> children;
  std::vector<const ir::Index*> reads;   ///< subscripted arrays that the body reads, also in inner loops
  std::vector<const ir::Index*> writes;  ///< subscripted arrays that it stores to
  LoopInfo info;
};
/// All loops, in source order.
std::vector<Loop> loops(const ir::Function& f);
/// The loops of a function as text, a paragraph each.
std::string loops_text(const ir::Function& f);

}  // namespace vr::analysis
