// The source's variables as lowered variables (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

Slot new_slot(Emitter& out, const std::string& name, const ir::Type& type, bool owned = true);
/// The variable's slot; created on first use.
Slot& slot(Lowering& f, ir::SymbolId id);
/// The scalars and arrays that a value consists of and that calls pass: itself, or the parts of a tuple or domain.
std::vector<Slot> leaves(const Slot& s);
/// The variable's name in the function in which the current statement was written (before inlining).
const std::string& name_of(const Lowering& f, ir::SymbolId id);

inline int64_t element_bytes(const ir::Type& t) { return ir::elem_bytes(t.elem) * (t.complex ? 2 : 1); }
inline ExprP element_bytes(Emitter& out, const Slot& s) { return out.x.int_const(element_bytes(s.type)); }

/// During its lifetime these variables may be given other slots; the destructor restores the original ones.
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
