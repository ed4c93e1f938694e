// Assignments: to scalars, elements, slices, tuples and several targets at once. Of whole arrays: assign_array.cpp.
#include "lower/assign.hpp"

#include "ir/library.hpp"
#include "lower/array.hpp"
#include "lower/assign_array.hpp"
#include "lower/call.hpp"
#include "lower/domain.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/loop.hpp"
#include "lower/ownership.hpp"
#include "lower/product.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/slice.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "lower/writable.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::AssignMode;
using ir::Layout;

static void assign_to(Lowering& f, const ir::ExprPtr& target, const ir::ExprPtr& value);
static void store_value(Lowering& f, const ir::ExprPtr& target, Slot from);
/// The parts of a tuple, in their own types.
static std::vector<Slot> tuple_parts(Lowering& f, const ir::ExprPtr& value);

// Under value semantics every assignment means a copy: `copy` is redundant, and storage is shared until a store.
const ir::ExprPtr& unwrap_copy(const Emitter& out, const ir::ExprPtr& e) {
  const ir::ExprPtr* p = &e;
  while (true) {
    auto* c = ir::as<ir::LibCall>(*p);
    if (!c || !ir::calls(c, ir::Lib::Copy) || c->args.size() != 1) return *p;
    const bool fits = c->args[0]->type == c->type;
    if (!fits || (out.conv.assign != AssignMode::Copy && !c->type.is_scalar())) return *p;
    p = &c->args[0];
  }
}

void assign(Lowering& f, const ir::Assign& a) {
  const ir::ExprPtr& value = a.value;
  std::vector<ir::ExprPtr> targets = a.targets;
  if (targets.size() == 1)
    if (auto* t = ir::as<ir::TupleExpr>(targets[0])) targets = t->elems;
  const bool spread = targets.size() != 1 || a.targets[0]->kind == ir::Kind::TupleExpr;
  if (!spread) {
    assign_to(f, targets[0], value);
    return;
  }
  // All values are computed before the first store: a, b = b, a exchanges them.
  std::vector<Slot> values = tuple_values(f, value);
  if (values.size() < targets.size() || (values.size() > targets.size() && !ir::as<ir::FnCall>(value)))
    f.out.unsupported(std::to_string(targets.size()) + " targets for " + std::to_string(values.size()) + " values");
  for (size_t k = 0; k < targets.size(); ++k) store_value(f, targets[k], values[k]);
}

std::vector<Slot> tuple_values(Lowering& f, const ir::ExprPtr& value) {
  std::vector<Slot> values = tuple_parts(f, value);
  const auto& stated = value->type.components();
  for (size_t k = 0; value->type.is_tuple() && k < values.size() && k < stated.size(); ++k)
    values[k] = as_stated(f, std::move(values[k]), stated[k]);
  return values;
}

static std::vector<Slot> tuple_parts(Lowering& f, const ir::ExprPtr& value) {
  if (auto* c = ir::as<ir::FnCall>(value)) {
    if (const ir::LibCall* lib = library_call(f, *c)) return library_results(f, *lib);
    std::vector<Slot> r = call_results(f, value);
    return r.size() == 1 && r[0].type.is_tuple() ? r[0].parts : r;
  }
  if (auto* c = ir::as<ir::LibCall>(value)) return library_results(f, *c);
  if (auto* t = ir::as<ir::TupleExpr>(value)) {
    std::vector<Slot> values;
    for (const ir::ExprPtr& e : t->elems) {
      Slot s = new_slot(f.out, "value", e->type);
      if (s.array != none) f.own.temps.push_back(s.array);
      assign_slot(f, s, e, none);
      values.push_back(s);
    }
    return values;
  }
  if (auto* n = ir::as<ir::Name>(value); n && n->type.is_tuple()) return slot(f, n->id).parts;
  f.out.unsupported("several targets for this value", value->pos);
}

static void assign_to(Lowering& f, const ir::ExprPtr& target, const ir::ExprPtr& value) {
  if (auto* n = ir::as<ir::Name>(target)) {
    f.facts.unique.erase(n->id);
    f.facts.ints.erase(n->id);
    assign_slot(f, slot(f, n->id), value, n->id);
    return;
  }
  if (auto* n = ir::as<ir::TupleIndex>(target)) {
    Slot& s = slot(f, n->tuple);
    size_t k = static_cast<size_t>(n->index - f.conv.indexing);
    if (k >= s.parts.size()) f.out.unsupported("a tuple element that does not exist", n->pos);
    assign_slot(f, s.parts[k], value, none);
    return;
  }
  auto* i = ir::as<ir::Index>(target);
  if (!i) f.out.unsupported("this target of an assignment", target->pos);
  if (all_scalar(f, *i) && !value->type.is_array()) {
    ScalarValue v = scalar(f, value);
    bool effects = has_effects(f, value);
    for (const ir::Subscript& s : i->subscripts) effects = effects || has_effects(f, s.value);
    // The value must be computed before the array grows, because it may depend on the array's extents.
    for (size_t k = 0; k < i->subscripts.size(); ++k) effects = effects || may_grow(f, *i, k);
    if (effects) v = {f.out.temp(v.re), v.im ? f.out.temp(v.im) : nullptr, v.elem};
    write_element(f, *i, v);
    return;
  }
  write_slice(f, *i, value);
}

void assign_slot(Lowering& f, Slot& to, const ir::ExprPtr& value, ir::SymbolId id) {
  switch (to.type.kind) {
    case ir::TypeKind::Scalar: {
      ScalarValue v = convert(f.out, scalar(f, value), to.type);
      if (v.im) v = {f.out.temp(v.re), f.out.temp(v.im), v.elem};
      f.out.set(to.var, v.re);
      if (v.im) f.out.set(to.im, v.im);
      return;
    }
    case ir::TypeKind::Array: {
      Slot copy = to;
      assign_array(f, copy, value, id == none ? VR_IN_ENGINE : where_of(f, id));
      return;
    }
    case ir::TypeKind::Function: {
      if (auto* h = ir::as<ir::FnHandle>(value)) {
        int32_t callee = f.m.index_of(h->callee);
        if (callee == none)
          f.out.unsupported("a handle of '" + h->callee + "', which is no function of the module", h->pos);
        f.out.emit(TakeAddress{to.var, callee});
        return;
      }
      if (auto* n = ir::as<ir::Name>(value); n && slot(f, n->id).type.is_function()) {
        f.out.set(to.var, f.out.get(slot(f, n->id).var));
        return;
      }
      f.out.unsupported("this value for a function handle", value->pos);
    }
    case ir::TypeKind::Tuple: {
      std::vector<Slot> parts = tuple_values(f, value);
      if (parts.size() != to.parts.size()) f.out.unsupported("this value for a tuple", value->pos);
      for (size_t k = 0; k < parts.size(); ++k) {
        if (to.parts[k].array != none) {
          assign_copy(f, to.parts[k], parts[k], VR_IN_ENGINE);
        } else if (to.parts[k].type.is_scalar()) {
          const Slot part = as_stated(f, parts[k], to.parts[k].type);
          f.out.set(to.parts[k].var, f.out.get(part.var));
          if (part.im != none) f.out.set(to.parts[k].im, f.out.get(part.im));
        } else {
          f.out.unsupported("a tuple inside a tuple", value->pos);
        }
      }
      return;
    }
    case ir::TypeKind::Domain:
      assign_domain(f, to, value);
      return;
    default:
      break;
  }
  f.out.unsupported("an assignment to a variable of type " + to.type.text(), value->pos);
}

Slot as_stated(Lowering& f, Slot s, const ir::Type& stated) {
  if (stated.is_scalar() && s.type.is_scalar()) {
    if (s.type.elem == stated.elem && s.type.complex == stated.complex) return s;
    const ScalarValue v =
        convert(f.out, ScalarValue{f.out.get(s.var), s.im == none ? nullptr : f.out.get(s.im), s.type.elem}, stated);
    Slot r;
    r.type = stated;
    r.var = f.out.new_var("stated", scalar_of(stated.elem));
    f.out.set(r.var, v.re);
    if (v.im) f.out.set(r.im = f.out.new_var("stated.im", scalar_of(stated.elem)), v.im);
    return r;
  }
  if (!stated.is_array() || s.array == none) return s;
  if (!holds(stated, s.type))
    s = materialise(f, convert(f.out, leaf(f.out, s, {}), stated.elem, stated.complex), stated.layout, VR_IN_ENGINE);
  else
    s.type.layout = stated.layout;
  return s;
}

ir::ExprPtr named(Lowering& f, Slot s) {
  const ir::SymbolId alias = --f.vars.last_alias;
  auto name = std::make_shared<ir::Name>(s.type, alias);
  f.vars.slots[alias] = std::move(s);
  return name;
}

// Stores a value that is already in a slot (a call's result, a tuple's element) to a target.
static void store_value(Lowering& f, const ir::ExprPtr& target, Slot from) {
  const ir::ExprPtr value = named(f, from);
  if (auto* n = ir::as<ir::Name>(target)) {
    f.facts.unique.erase(n->id);
    f.facts.ints.erase(n->id);
    Slot to = slot(f, n->id);
    if (to.array != none && from.array != none && holds(to.type, from.type)) {
      move_array(f, to.array, from.array);
      return;
    }
  }
  assign_to(f, target, value);
}

}  // namespace vr::lower
