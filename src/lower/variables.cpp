#include "lower/variables.hpp"

namespace vr::lower {

Slot new_slot(Emitter& out, const std::string& name, const ir::Type& type, bool owned) {
  owned = owned && out.fn.kind != Function::Kind::Kernel;  // kernels do not count references
  Slot s;
  s.type = type;
  switch (type.kind) {
    case ir::TypeKind::Scalar:
      s.var = out.new_var(name, scalar_of(type.elem));
      if (type.complex) s.im = out.new_var(name + ".im", scalar_of(type.elem));
      break;
    case ir::TypeKind::Array:
      s.array = out.new_array(name, type.elem, type.complex, type.rank, owned);
      break;
    case ir::TypeKind::Tuple:
      for (const ir::Type& t : type.components())
        s.parts.push_back(new_slot(out, name + "." + std::to_string(s.parts.size()), t, owned));
      break;
    case ir::TypeKind::Function:
      s.var = out.new_var(name, Scalar::Ptr);
      break;
    case ir::TypeKind::Domain:
      // For each dimension its parts, in the dimension's type, and RangeBits for which of them were given.
      for (const ir::Type& t : type.components()) {
        for (const char* part : {".start", ".step", ".stop"}) s.parts.push_back(new_slot(out, name + part, t, owned));
        s.parts.push_back(new_slot(out, name + ".given", ir::Type::scalar(ir::Elem::Int32), owned));
      }
      break;
    case ir::TypeKind::Null:
    case ir::TypeKind::Void:
      break;
  }
  return s;
}

const std::string& name_of(const Lowering& f, ir::SymbolId id) {
  if (f.out.at.inlined)
    for (const auto& [own, name] : f.out.at.inlined->names)
      if (own == id) return name;
  return f.source.symbols.at(id).name;
}

std::vector<Slot> leaves(const Slot& s) {
  if (s.parts.empty() && !s.type.is_tuple()) return {s};
  std::vector<Slot> all;
  for (const Slot& p : s.parts)
    for (Slot& leaf : leaves(p)) all.push_back(std::move(leaf));
  return all;
}

Slot& slot(Lowering& f, ir::SymbolId id) {
  auto it = f.vars.slots.find(id);
  if (it == f.vars.slots.end())
    it = f.vars.slots.emplace(id, new_slot(f.out, name_of(f, id), f.source.symbols.at(id).type)).first;
  return it->second;
}

// ---------------------------------------------------------------- calls

OwnSlots::OwnSlots(Lowering& f, const std::vector<ir::SymbolId>& ids) : f_(f) {
  for (ir::SymbolId id : ids) outside_.emplace(id, slot(f, id));
}

OwnSlots::~OwnSlots() {
  for (auto& [id, s] : outside_) f_.vars.slots[id] = std::move(s);
}

}  // namespace vr::lower
