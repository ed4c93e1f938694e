// Which arrays may be stored to as they are, and what a store asks first (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Whether the array may not be stored to; known to be false where it holds no flags (temporaries, kernels).
ExprP is_read_only(Emitter& out, ArrayId a);
/// kernels: what stores is kernels, so that in a section the copy is made on the device. when: nothing is stored
/// otherwise.
void before_store(Lowering& f, ir::SymbolId id, bool kernels = false, ExprP when = nullptr);
/// Once before the loop instead of once a store, for arrays that nothing in the loop can make shared again.
void unique_before_loop(Lowering& f, const LoopInfo& facts);
void forget_unique(Lowering& f, const LoopInfo& facts);
/// What an assignment says of its target.
void assigned_unique(Lowering& f, const ir::Assign& a, bool value_was_unique);

}  // namespace vr::lower
