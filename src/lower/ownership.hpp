// References to arrays: how they are counted, moved and released (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void retain(Emitter& out, ArrayId a);
/// Releases the reference; the owner becomes null.
void release(Lowering& f, ArrayId a);
/// Releases to's reference and moves from's reference to it (from is left without one).
void move_array(Lowering& f, ArrayId to, ArrayId from);
void copy_fields(Emitter& out, ArrayId to, ArrayId from);
void copy_flags(Emitter& out, ArrayId to, ArrayId from);
/// Releases the temporaries of the statement except the first `from`.
void release_temps(Lowering& f, size_t from);

/// Whether the current statement is the last one to read the variable, and mentions it exactly `mentions` times.
bool last_use(Lowering& f, ir::SymbolId id, int mentions);

}  // namespace vr::lower
