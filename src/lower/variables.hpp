// The source's variables as lowered variables (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

Slot new_slot(Emitter& out, const std::string& name, const ir::Type& type, bool owned = true);
/// The variable's slot, made when it is met first.
Slot& slot(Lowering& f, ir::SymbolId id);
/// The scalars and arrays that a value is made of: itself, or a tuple's or domain's parts, in order. Calls pass these.
std::vector<Slot> leaves(const Slot& s);
/// The variable's name, as the function says in which the statement was written.
const std::string& name_of(const Lowering& f, ir::SymbolId id);

inline int64_t element_bytes(const ir::Type& t) { return ir::elem_bytes(t.elem) * (t.complex ? 2 : 1); }
inline ExprP element_bytes(Emitter& out, const Slot& s) { return out.x.int_const(element_bytes(s.type)); }

/// While it lives these variables may have other slots; afterwards they have those that they have now.
class OwnSlots {
 public:
  OwnSlots(Lowering& f, const std::vector<ir::SymbolId>& ids);
  ~OwnSlots();
  OwnSlots(const OwnSlots&) = delete;
  OwnSlots& operator=(const OwnSlots&) = delete;
  const Slot& outside(ir::SymbolId id) const { return outside_.at(id); }

 private:
  Lowering& f_;
  std::map<ir::SymbolId, Slot> outside_;
};

}  // namespace vr::lower
