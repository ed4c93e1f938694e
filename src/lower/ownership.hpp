// References to arrays: who gives them up, and how they change hands (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void retain(Emitter& out, ArrayId a);
/// Gives the reference up; the owner becomes null.
void release(Lowering& f, ArrayId a);
/// to's old reference is dropped; from's becomes to's (from is left empty).
void move_array(Lowering& f, ArrayId to, ArrayId from);
void copy_fields(Emitter& out, ArrayId to, ArrayId from);
void copy_flags(Emitter& out, ArrayId to, ArrayId from);
/// Gives up the temporaries that were made since there were `from` of them.
void release_temps(Lowering& f, size_t from);

/// Whether the statement at hand is the last to read the variable, and `mentions` are all its mentions of it.
bool last_use(Lowering& f, ir::SymbolId id, int mentions);

}  // namespace vr::lower
