#include "lower/captures.hpp"

#include "ir/sharing.hpp"
#include "lower/assign_array.hpp"
#include "lower/ownership.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

std::set<ir::SymbolId> private_variables(const ir::PFor& s, const LoopInfo& facts) {
  std::set<ir::SymbolId> priv(s.itervars.begin(), s.itervars.end());
  for (ir::SymbolId id : facts.assigned) priv.insert(id);
  if (s.shared)
    for (ir::SymbolId id : facts.used)
      if (std::find(s.shared->begin(), s.shared->end(), id) == s.shared->end() && facts.assigned.count(id))
        priv.insert(id);
  return priv;
}

std::vector<ir::SymbolId> carried_in(Lowering& f, const ir::PFor& s, const std::set<ir::SymbolId>& priv) {
  std::vector<ir::SymbolId> ids;
  for (ir::SymbolId id : ir::read_before_assigned(s.body, f.source))
    if (priv.count(id) && std::find(s.itervars.begin(), s.itervars.end(), id) == s.itervars.end()) ids.push_back(id);
  return ids;
}

void carry_in(Lowering& f, const Slot& to, const Slot& from) {
  if (to.var != none) f.out.set(to.var, f.out.get(from.var));
  if (to.im != none) f.out.set(to.im, f.out.get(from.im));
  if (to.array != none) {
    const size_t temps = f.own.temps.size();
    Slot array = to;
    assign_copy(f, array, from, VR_IN_ENGINE);
    release_temps(f, temps);
  }
  for (size_t k = 0; k < to.parts.size(); ++k) carry_in(f, to.parts[k], from.parts[k]);
}

VarId Captures::variable(VarId v) {
  auto it = known_.find(v);
  if (it != known_.end()) return it->second;
  const Var& from = outer_.out.fn.vars[static_cast<size_t>(v)];
  VarId in = inner_.out.new_var(from.name, from.type);
  known_[v] = in;
  inner_.out.fn.params.push_back({in, none, none, false});
  variables_.push_back(v);
  operands_.push_back({v, none, none});
  return in;
}

bool Captures::wants_flags(ir::SymbolId id) const {
  if (!facts_.calls.empty()) return true;
  if (outer_.conv.assign == ir::AssignMode::Copy || outer_.facts.unique.count(id)) return false;
  return facts_.stored.count(id) || std::any_of(facts_.assigned.begin(), facts_.assigned.end(), [&](ir::SymbolId to) {
           return !outer_.source.symbols.at(to).type.is_scalar();
         });
}

void Captures::know(VarId in, VarId of) {
  if (ExprP value = outer_.out.get(of); is_const(value)) inner_.out.fn.constants[in] = value->ival;
}

ExprP Captures::expr(ExprP e) {
  if (!e || is_const(e)) return e;
  return inner_.out.get(variable(e->kind == Expr::Kind::Var ? e->var : outer_.out.temp(e)->var));
}

Slot Captures::slot(const Slot& s, ir::SymbolId id) {
  Slot r;
  r.type = s.type;
  if (s.var != none) r.var = variable(s.var);
  if (s.im != none) r.im = variable(s.im);
  if (s.array != none) {
    const ArrayVars from = outer_.out.array(s.array);
    r.array = inner_.out.new_array(from.name, from.elem, from.complex, s.type.rank, false);
    array(from, s, r.array, id);
  }
  for (const Slot& p : s.parts) r.parts.push_back(slot(p, id));
  return r;
}

void Captures::array(const ArrayVars& from, const Slot& s, ArrayId id_inside, ir::SymbolId id) {
  ArrayVars& to = inner_.out.array(id_inside);
  if (arrays_as_params_) {
    Param p;
    p.array = id_inside;
    p.written = facts_.stored.count(id) != 0;
    p.variable = name_of(outer_, id);
    inner_.out.fn.params.push_back(p);
    operands_.push_back({none, none, s.array});
  } else {
    to.data = variable(from.data);
    if (from.flags != none && wants_flags(id)) to.flags = variable(from.flags);
    for (size_t k = 0; k < from.extent.size(); ++k) {
      to.extent[k] = variable(from.extent[k]);
      to.stride[k] = variable(from.stride[k]);
    }
  }
  to.group = from.group;
  // Known extents and strides stay known inside, also where the fields come with a parameter.
  for (size_t k = 0; k < from.extent.size(); ++k) {
    know(to.extent[k], from.extent[k]);
    know(to.stride[k], from.stride[k]);
  }
}

void Captures::take(const ir::PFor& s, std::vector<LoopDim>& dims) {
  Lowering &f = outer_, &in = inner_;
  std::set<ir::SymbolId> priv = private_variables(s, facts_), used = facts_.used;
  // `calls` names function variables, which `used` does not contain.
  for (const ir::Symbol& v : f.source.symbols.all())
    if (v.type.is_function() && facts_.calls.count(v.name)) used.insert(v.id);
  for (ir::SymbolId id : used) {
    if (priv.count(id)) continue;
    in.vars.slots[id] = slot(lower::slot(f, id), id);
    auto it = f.facts.ints.find(id);
    if (it != f.facts.ints.end() && is_simple(it->second)) in.facts.ints[id] = expr(it->second);
    if (f.conv.assign == ir::AssignMode::Copy || f.facts.unique.count(id))
      in.facts.unique.insert(id);  // made unique (copied if shared) before the loop
  }
  for (ir::SymbolId id : carried_in(f, s, priv)) carried_.emplace_back(id, slot(lower::slot(f, id), id));
  for (LoopDim& d : dims) {
    d.count = expr(d.count);
    d.start = expr(d.start);
    d.step = expr(d.step);
    d.int_start = expr(d.int_start);
    d.int_step = expr(d.int_step);
  }
  in.uses.last = f.uses.last;
  in.out.at.loc = f.out.at.loc;
  in.out.fn.place = in.out.place = f.out.place;
  in.out.at.inlined = f.out.at.inlined;
  in.out.at.pos = f.out.at.pos;
  in.own.returned = {};
}

void Captures::start_carried() {
  for (const auto& [id, from] : carried_) carry_in(inner_, lower::slot(inner_, id), from);
}

}  // namespace vr::lower
