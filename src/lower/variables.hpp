// (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

Slot new_slot(Emitter& out, const std::string& name, const ir::Type& type, bool owned = true);
Slot& slot(Lowering& f, ir::SymbolId id);
/// The scalars and arrays that a value is made of: itself, or a tuple's or domain's parts, in order. Calls pass
/// these.
std::vector<Slot> leaves(const Slot& s);
/// As the function says in which the statement was written
const std::string& name_of(const Lowering& f, ir::SymbolId id);
void retain(Emitter& out, ArrayId a);
/// And forget: owner becomes null
void release(Lowering& f, ArrayId a);
/// to's old reference is dropped; from's becomes to's (from is left empty).
void move_array(Lowering& f, ArrayId to, ArrayId from);
void copy_fields(Emitter& out, ArrayId to, ArrayId from);
void copy_flags(Emitter& out, ArrayId to, ArrayId from);
/// Temporaries made since `temps_.size() == from`
void release_temps(Lowering& f, size_t from);
void finish_cleanup(Lowering& f);
/// Lowers a whole Entry function.
void lower_entry(Lowering& f);

inline ExprP element_bytes(Emitter& out, const Slot& s) {
  return out.x.int_const(ir::elem_bytes(s.type.elem) * (s.type.complex ? 2 : 1));
}

}  // namespace vr::lower
