// Several iterations together: what jam.cpp and jam_carried.cpp share (private to src/lower).
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
  bool along = false;    ///< elements of the inner loop lie next to each other, those of the lanes do not
  bool carried = false;  ///< what an iteration of the inner loop stores a later one reads (jam_carried.cpp)
  int64_t skew = 0;      ///< each lane is this many iterations of the inner loop behind the one before it
};

/// Computed without a fault or an effect, for scalars.
bool pure(const ir::ExprPtr& e);

/// The inner loop's domain is the same for all iterations of the loop around it, in variable `outer`.
bool same_for_all(const ir::For& inner, ir::SymbolId outer, const analysis::LoopInfo& facts);

std::optional<Jam> carried_plan(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body);
bool carried_order(Jam& jam, const LoopDim& outer, const LoopDim& inner);
/// False: not that kind of loop; nothing that matters was emitted.
bool jam(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body,
         const std::function<void()>& as_written);

}  // namespace vr::lower
