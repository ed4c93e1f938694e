// Which arrays may be stored to without a check, and the check before a store (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Whether the array is read-only; constant false if it has no flags (temporaries, kernels).
ExprP is_read_only(Emitter& out, ArrayId a);
/// Emits the check. kernels: the stores are done by kernels, so that in a section a copy is made on the device. when:
/// the condition under which anything is stored; null: always.
void before_store(Lowering& f, ir::SymbolId id, bool kernels = false, ExprP when = nullptr);
/// Does the check once before the loop for arrays that nothing in the loop can make shared again.
void unique_before_loop(Lowering& f, const LoopInfo& facts);
void forget_unique(Lowering& f, const LoopInfo& facts);
/// Updates the facts for the target of an assignment.
void assigned_unique(Lowering& f, const ir::Assign& a, bool value_was_unique);

}  // namespace vr::lower
