// Unroll and jam: what jam.cpp and jam_carried.cpp share (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

struct Jam {
  ir::Body before, inside, after;  ///< statements of the outer body before the inner loop, of the inner one, after it
  const ir::For* loop = nullptr;
  std::vector<ir::SymbolId> scalars;  ///< each lane has its own
  std::vector<const ir::Index*> accesses;
  std::set<const ir::Index*> read_inside;  ///< those of the inner loop
  int lanes = 4;
  bool along = false;    ///< accesses of the inner loop have unit stride, those of the lanes do not
  bool carried = false;  ///< an iteration of the inner loop reads what an earlier one has stored (jam_carried.cpp)
  int64_t skew = 0;      ///< each lane is this many iterations of the inner loop behind the previous one
};

/// Whether this is a scalar that is computed without faults and effects.
bool pure(const ir::ExprPtr& e);

/// Whether the inner loop's domain is the same for all iterations of the loop over `outer`.
bool same_for_all(const ir::For& inner, ir::SymbolId outer, const analysis::LoopInfo& facts);

std::optional<Jam> carried_plan(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body);
bool carried_order(Jam& jam, const LoopDim& outer, const LoopDim& inner);
/// Emits the loop in unrolled and jammed form. False: not such a loop; nothing with an effect was emitted.
bool jam(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body,
         const std::function<void()>& as_written);

}  // namespace vr::lower
