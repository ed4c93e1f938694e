// Copies of innermost loops without bounds checks, behind a guard (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The copy of an innermost loop without checks.
struct Version {
  ExprP guard;  ///< the condition of the copy without checks
  std::set<const ir::Subscript*> unchecked;
  std::map<ir::SymbolId, ExprP> ints;  ///< Int64 values of integral loop-invariant floats
  struct Gather {
    const ir::Index* index;
    size_t axis;
  };
  std::vector<Gather> gathers;  ///< subscripts that an inspector can check before the loop
  /// Strides that decide whether iterations meet adjacent elements, with the values that they then have.
  std::map<VarId, int64_t> adjacent;
};

Version version(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body);
ExprP inspect(Lowering& f, const Version& v, const LoopDim& d);
ExprP take_out_checks(Emitter& out, Block& loop);
ExprP goes_straight(Emitter& out, const LoopDim& d, int64_t coefficient, int loops);

}  // namespace vr::lower
