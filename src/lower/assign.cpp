// Assignments: to scalars, whole arrays (shared or copied), elements, slices, tuples and several targets at once.
#include "lower/function_lowering.hpp"

#include "ir/library.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::AssignMode;
using ir::Layout;

// Under value semantics a copy is what any assignment means: `copy` adds nothing and storage is shared until a store.
const ir::ExprPtr& FunctionLowering::unwrap_copy(const ir::ExprPtr& e) const {
  const ir::ExprPtr* p = &e;
  while (true) {
    auto* c = ir::as<ir::LibCall>(*p);
    if (!c || c->func != "copy" || c->args.size() != 1) return *p;
    const bool fits = c->args[0]->type == c->type;
    if (!fits || (conv_.assign != AssignMode::Copy && !c->type.is_scalar())) return *p;
    p = &c->args[0];
  }
}

ExprP FunctionLowering::is_read_only(ArrayId a) {
  if (array(a).flags == none) return x_.bool_const(false);
  ExprP bit = x_.binary(Op::And, get(array(a).flags), x_.int_const(VR_ARRAY_READ_ONLY, Scalar::Int32));
  return x_.ne(bit, x_.int_const(0, Scalar::Int32));
}

// What every store asks first, once its value is there and before its subscripts are looked at. Under sharing the array
// must not be read-only; a test of a variable that the loops around do not assign, which the versions of innermost loops
// and the jammed ones look at before they start (take_out_checks). Under value semantics it must be the only holder of its
// storage (copy on write), which what came from the host never is.
// kernels: what stores is kernels, so that in a section the copy is made on the device. when: nothing is stored otherwise.
void FunctionLowering::before_store(ir::SymbolId id, bool kernels, ExprP when) {
  if (unique_.count(id)) return;
  const Slot s = slot(id);
  if (s.array == none) return;
  if (conv_.assign == AssignMode::Share) {
    ExprP bad = is_read_only(s.array);
    fail_if(when ? x_.both(when, bad) : bad, Code::ReadOnly, {}, name_of(id));
    return;
  }
  if (array(s.array).owner == none) return;
  std::vector<Arg> args = {site_arg(name_of(id)), inout_array(s.array), layout_arg(s.type.layout),
                           int_arg(where_of(id))};
  if (newest_may_be_away()) args.push_back(int_arg(in_section_ && kernels));
  call(newest_may_be_away() ? rt::GpuMakeUnique : rt::MakeUnique, std::move(args), true);
}

// Once before the loop instead of once a store, for arrays that nothing in the loop can make shared again. What is said
// to be unique at the loop's start is so in every iteration, and behind the loop. Whether one is read-only is asked at
// the store: the loop may not come to it.
void FunctionLowering::unique_before_loop(const LoopInfo& facts) {
  forget_unique(facts);
  if (conv_.assign != AssignMode::Copy) return;
  for (ir::SymbolId id : facts.stored) {
    if (facts.assigned.count(id) || facts.shared.count(id) ||
        (conv_.slices == ir::SliceMode::View && facts.viewed.count(id)))
      continue;
    before_store(id, true);
    unique_.insert(id);
  }
}

void FunctionLowering::forget_unique(const LoopInfo& facts) {
  for (ir::SymbolId id : facts.assigned) unique_.erase(id);
  if (conv_.assign != AssignMode::Copy) return;
  for (ir::SymbolId id : facts.shared) unique_.erase(id);
  if (conv_.slices == ir::SliceMode::View)
    for (ir::SymbolId id : facts.viewed) unique_.erase(id);
}

// What an assignment says of its target: new arrays have one holder and can be written, a store made sure of it, and a
// reference that changed hands is as it was. Under sharing another name of an array or a view of it is as writable as that.
void FunctionLowering::assigned_unique(const ir::Assign& a, bool value_was_unique) {
  if (a.targets.size() != 1) return;
  const bool share = conv_.assign == AssignMode::Share;
  if (auto* i = ir::as<ir::Index>(a.targets[0]); i && (share || (all_scalar(*i) && !a.value->type.is_array())))
    unique_.insert(i->array);
  auto* n = ir::as<ir::Name>(a.targets[0]);
  if (!n || !n->type.is_array()) return;
  const ir::ExprPtr& value = unwrap_copy(a.value);
  switch (value->kind) {
    case ir::Kind::Name:
      if (value_was_unique && (share || last_use(static_cast<const ir::Name&>(*value).id, 1))) unique_.insert(n->id);
      return;
    case ir::Kind::Index:
      if (share && value_was_unique) unique_.insert(n->id);
      if (value->type.is_array()) return;
      break;
    case ir::Kind::TupleIndex:
    case ir::Kind::FnCall:
      if (value->type.is_array()) return;
      break;
    default:
      break;
  }
  unique_.insert(n->id);
}

bool FunctionLowering::last_use(ir::SymbolId id, int mentions) {
  if (!stmt_) return false;
  if (!last_uses_) last_uses_ = std::make_shared<LastUses>(source_);
  return last_uses_->mentions(*stmt_, id) == mentions && last_uses_->ends_with(*stmt_, id);
}

void FunctionLowering::assign(const ir::Assign& a) {
  const ir::ExprPtr& value = a.value;
  std::vector<ir::ExprPtr> targets = a.targets;
  if (targets.size() == 1)
    if (auto* t = ir::as<ir::TupleExpr>(targets[0])) targets = t->elems;
  const bool spread = targets.size() != 1 || a.targets[0]->kind == ir::Kind::TupleExpr;
  if (!spread) {
    assign_to(targets[0], value);
    return;
  }
  // All values first: a, b = b, a exchanges.
  std::vector<Slot> values = tuple_values(value);
  if (values.size() < targets.size() || (values.size() > targets.size() && !ir::as<ir::FnCall>(value)))
    unsupported(std::to_string(targets.size()) + " targets for " + std::to_string(values.size()) + " values");
  for (size_t k = 0; k < targets.size(); ++k) store_value(targets[k], values[k]);
}

std::vector<Slot> FunctionLowering::tuple_values(const ir::ExprPtr& value) {
  std::vector<Slot> values = tuple_parts(value);
  const auto& stated = value->type.components();
  for (size_t k = 0; value->type.is_tuple() && k < values.size() && k < stated.size(); ++k)
    values[k] = as_stated(std::move(values[k]), stated[k]);
  return values;
}

std::vector<Slot> FunctionLowering::tuple_parts(const ir::ExprPtr& value) {
  if (auto* c = ir::as<ir::FnCall>(value)) {
    if (const ir::LibCall* lib = library_call(*c)) return library_results(*lib);
    std::vector<Slot> r = call_results(value);
    return r.size() == 1 && r[0].type.is_tuple() ? r[0].parts : r;
  }
  if (auto* c = ir::as<ir::LibCall>(value)) return library_results(*c);
  if (auto* t = ir::as<ir::TupleExpr>(value)) {
    std::vector<Slot> values;
    for (const ir::ExprPtr& e : t->elems) {
      Slot s = new_slot("value", e->type);
      if (s.array != none) temps_.push_back(s.array);
      assign_slot(s, e, none);
      values.push_back(s);
    }
    return values;
  }
  if (auto* n = ir::as<ir::Name>(value); n && n->type.is_tuple()) return slot(n->id).parts;
  unsupported("several targets for this value", value->pos);
}

void FunctionLowering::assign_to(const ir::ExprPtr& target, const ir::ExprPtr& value) {
  if (auto* n = ir::as<ir::Name>(target)) {
    unique_.erase(n->id);
    ints_.erase(n->id);
    assign_slot(slot(n->id), value, n->id);
    return;
  }
  if (auto* n = ir::as<ir::TupleIndex>(target)) {
    Slot& s = slot(n->tuple);
    size_t k = static_cast<size_t>(n->index - conv_.indexing);
    if (k >= s.parts.size()) unsupported("a tuple element that does not exist", n->pos);
    assign_slot(s.parts[k], value, none);
    return;
  }
  auto* i = ir::as<ir::Index>(target);
  if (!i) unsupported("this target of an assignment", target->pos);
  if (all_scalar(*i) && !value->type.is_array()) {
    ScalarValue v = scalar(value);
    bool effects = has_effects(value);
    for (const ir::Subscript& s : i->subscripts) effects = effects || has_effects(s.value);
    // The value was computed before the array grows, though it may look at the array's extents.
    for (size_t k = 0; k < i->subscripts.size(); ++k) effects = effects || may_grow(*i, k);
    if (effects) v = {temp(v.re), v.im ? temp(v.im) : nullptr, v.elem};
    write_element(*i, v);
    return;
  }
  write_slice(*i, value);
}

void FunctionLowering::assign_slot(Slot& to, const ir::ExprPtr& value, ir::SymbolId id) {
  switch (to.type.kind) {
    case ir::TypeKind::Scalar: {
      ScalarValue v = convert(scalar(value), to.type);
      if (v.im) v = {temp(v.re), temp(v.im), v.elem};
      set(to.var, v.re);
      if (v.im) set(to.im, v.im);
      return;
    }
    case ir::TypeKind::Array: {
      Slot copy = to;
      assign_array(copy, value, id == none ? VR_IN_ENGINE : where_of(id));
      return;
    }
    case ir::TypeKind::Function: {
      if (auto* h = ir::as<ir::FnHandle>(value)) {
        int32_t callee = m_.index_of(h->callee);
        if (callee == none) unsupported("a handle of '" + h->callee + "', which is no function of the module", h->pos);
        emit(TakeAddress{to.var, callee});
        return;
      }
      if (auto* n = ir::as<ir::Name>(value); n && slot(n->id).type.is_function()) {
        set(to.var, get(slot(n->id).var));
        return;
      }
      unsupported("this value for a function handle", value->pos);
    }
    case ir::TypeKind::Tuple: {
      std::vector<Slot> parts = tuple_values(value);
      if (parts.size() != to.parts.size()) unsupported("this value for a tuple", value->pos);
      for (size_t k = 0; k < parts.size(); ++k) {
        if (to.parts[k].array != none) {
          assign_copy(to.parts[k], parts[k], VR_IN_ENGINE);
        } else if (to.parts[k].type.is_scalar()) {
          const Slot part = as_stated(parts[k], to.parts[k].type);
          set(to.parts[k].var, get(part.var));
          if (part.im != none) set(to.parts[k].im, get(part.im));
        } else {
          unsupported("a tuple inside a tuple", value->pos);
        }
      }
      return;
    }
    case ir::TypeKind::Domain:
      assign_domain(to, value);
      return;
    default:
      break;
  }
  unsupported("an assignment to a variable of type " + to.type.text(), value->pos);
}

bool holds(const ir::Type& to, const ir::Type& from) {
  return to.elem == from.elem && to.complex == from.complex && to.rank == from.rank &&
         (to.layout == Layout::Strided || to.layout == from.layout);
}

// What lies in a slot as the expression's stated type has it: a number converted, an array of another element type or
// contiguous layout another array.
Slot FunctionLowering::as_stated(Slot s, const ir::Type& stated) {
  if (stated.is_scalar() && s.type.is_scalar()) {
    if (s.type.elem == stated.elem && s.type.complex == stated.complex) return s;
    const ScalarValue v = convert(ScalarValue{get(s.var), s.im == none ? nullptr : get(s.im), s.type.elem}, stated);
    Slot r;
    r.type = stated;
    r.var = new_var("stated", scalar_of(stated.elem));
    set(r.var, v.re);
    if (v.im) set(r.im = new_var("stated.im", scalar_of(stated.elem)), v.im);
    return r;
  }
  if (!stated.is_array() || s.array == none) return s;
  if (!holds(stated, s.type))
    s = materialise(convert(leaf(s, {}), stated.elem, stated.complex), stated.layout, VR_IN_ENGINE);
  else
    s.type.layout = stated.layout;
  return s;
}

// A whole array from storage that somebody else keeps: shared (value semantics copy on write).
void FunctionLowering::assign_copy(Slot& to, const Slot& from, int where) {
  if (to.array == from.array) return;
  if (!holds(to.type, from.type)) {
    Slot s = materialise(convert(leaf(from, {}), to.type.elem, to.type.complex), to.type.layout, where);
    move_array(to.array, s.array);
    return;
  }
  const VarId owner = array(from.array).owner;
  if (owner == none && conv_.assign == AssignMode::Copy) {
    // An array of the function around this parallel loop, which counts no holders here: as a value of its own.
    move_array(to.array, materialise(leaf(from, {}), to.type.layout, where).array);
    return;
  }
  if (fn_.kind == Function::Kind::Kernel) unsupported("an array that shares its elements with another");
  retain(from.array);
  release(to.array);
  copy_fields(to.array, from.array);
  // Without an owner it is borrowed: the function around the parallel loop holds it all the while.
  if (array(to.array).owner != none) set(array(to.array).owner, owner == none ? x_.null() : get(owner));
}

// `c = a + b` writes into c's old storage when it fits and nobody else holds it (thesis 5.7.2). No slot when the value
// reads c's elements elsewhere than at the place that is being written.
Slot FunctionLowering::in_old_storage(const Slot& to, const ArrayGen& g, const ir::Type& type, int where) {
  if (collected() || in_section_ || has_section_ || fn_.kind == Function::Kind::Kernel ||
      array(to.array).owner == none || !g.leaves_known || g.costly)
    return {};
  ExprP data = get(array(to.array).data), same_shape = x_.bool_const(true);
  for (int k = 0; k < g.rank(); ++k)
    same_shape = x_.both(same_shape,
                         x_.eq(g.extent[static_cast<size_t>(k)], get(array(to.array).extent[static_cast<size_t>(k)])));
  // The variable as a whole, element by element; a slice may well begin at the same address.
  auto whole = [&](const ArrayGen::Leaf& l) {
    bool all = same(l.data, data) && l.aligned && l.extent.size() == static_cast<size_t>(to.type.rank) &&
               l.bytes == element_bytes(to)->ival && to.type.layout == type.layout;
    for (size_t k = 0; all && k < l.extent.size(); ++k)
      all = same(l.extent[k], get(array(to.array).extent[k])) && same(l.stride[k], stride(to, static_cast<int>(k)));
    return all;
  };
  // Views of it keep its storage from being taken; a slice of it in the value itself is one that nobody counts.
  const auto reads =
      std::count_if(g.reads.begin(), g.reads.end(), [&](ir::SymbolId id) { return slot(id).array == to.array; });
  if (reads != std::count_if(g.leaves.begin(), g.leaves.end(), whole)) return {};
  Slot s = new_slot("tmp", type);
  temps_.push_back(s.array);
  std::vector<Arg> rest = {int_arg(int(type.elem) | (type.complex ? VR_COMPLEX : 0)), int_arg(type.rank),
                           int64s_arg(g.extent), layout_arg(type.layout)};
  auto with = [&](std::vector<Arg> first, std::vector<Arg> last) {
    first.insert(first.end(), rest.begin(), rest.end());
    first.insert(first.end(), last.begin(), last.end());
    return first;
  };
  Block take = collect([&] {
    call(rt::AllocFor, with({site_arg(), inout_array(to.array), out_array(s.array)}, {int_arg(where)}), true);
  });
  if (reads == 0 || is_true(same_shape)) {
    append(std::move(take));
  } else {
    Block fresh = collect([&] {
      call(rt::Alloc, with({site_arg(), out_array(s.array)}, {int_arg(VR_FILL_NONE), int_arg(where)}), true);
    });
    emit(If{same_shape, std::move(take), std::move(fresh)});
  }
  fill(s, g);
  return s;
}

// Whether a slice shares its array's elements: the types decide. Where one subscript runs over several dimensions of a
// strided array there need be no one distance between neighbours.
bool FunctionLowering::is_view(const ir::Index& i) {
  // A view of an array that counts no holders here (of the function around a parallel loop) would be no value.
  if (conv_.assign == AssignMode::Copy && array(slot(i.array).array).owner == none) return false;
  if (all_scalar(i) || i.type.layout != Layout::Strided || i.copyslice.value_or(conv_.slices == ir::SliceMode::Copy))
    return false;
  for (const ir::Subscript& s : i.subscripts)
    if (s.value->type.is_array()) return false;
  const ir::Type& base = slot(i.array).type;
  return base.elem == i.type.elem && base.complex == i.type.complex && (!flattens(i) || base.layout != Layout::Strided);
}

void FunctionLowering::assign_array(Slot& to, const ir::ExprPtr& given, int where) {
  const ir::ExprPtr& value = unwrap_copy(given);
  if (value->type.is_scalar()) {
    Slot s = materialise(convert(one_element(scalar(value), to.type.rank), to.type.elem, to.type.complex),
                         to.type.layout, where);
    move_array(to.array, s.array);
    return;
  }
  if (auto* n = ir::as<ir::Name>(value)) {
    const Slot& from = slot(n->id);
    if (array(from.array).owner != none && array(to.array).owner != none && holds(to.type, from.type) &&
        last_use(n->id, 1))
      move_array(to.array, from.array);  // nobody else wants it: the reference changes hands
    else
      assign_copy(to, from, where);
    return;
  }
  if (auto* n = ir::as<ir::TupleIndex>(value)) {
    Slot& t = slot(n->tuple);
    size_t k = static_cast<size_t>(n->index - conv_.indexing);
    if (k >= t.parts.size() || t.parts[k].array == none) unsupported("this tuple element as an array", n->pos);
    assign_copy(to, as_stated(t.parts[k], value->type), where);
    return;
  }
  if (auto* i = ir::as<ir::Index>(value); i && to.type.layout == Layout::Strided) {
    const Slot base = slot(i->array);
    if (is_view(*i) && base.type.elem == to.type.elem && base.type.complex == to.type.complex) {
      if (fn_.kind == Function::Kind::Kernel) unsupported("an array that shares its elements with another", i->pos);
      View v = view(*i, false);
      v.data = temp(v.data, "view");
      retain(base.array);
      release(to.array);
      VarId owner = array(base.array).owner;
      set(array(to.array).data, v.data);
      copy_flags(to.array, base.array);
      // Temporaries first: the target may be the array that is being sliced.
      std::vector<ExprP> extent, step;
      for (size_t k = 0; k < v.extent.size(); ++k) {
        extent.push_back(is_const(v.extent[k]) ? v.extent[k] : temp(v.extent[k]));
        step.push_back(is_const(v.stride[k]) ? v.stride[k] : temp(v.stride[k]));
      }
      for (size_t k = 0; k < v.extent.size(); ++k) {
        set(array(to.array).extent[k], extent[k]);
        set(array(to.array).stride[k], step[k]);
      }
      if (to.array != base.array && array(to.array).owner != none)
        set(array(to.array).owner, owner == none ? x_.null() : get(owner));
      return;
    }
  }
  if (auto* c = ir::as<ir::FnCall>(value); c && m_.index_of(c->callee) != none) {
    std::vector<Slot> r = call_results(value);
    if (r.size() == 1 && r[0].array != none) {
      const Slot s = as_stated(r[0], value->type);
      if (holds(to.type, s.type))
        move_array(to.array, s.array);
      else
        assign_copy(to, s, where);
      return;
    }
    unsupported("the result of '" + c->callee + "' as an array", c->pos);
  }
  if (auto* c = ir::as<ir::LibCall>(value); c && c->func == "copy") {
    auto* n = ir::as<ir::Name>(c->args[0]);
    if (n && !in_section_ && slot(n->id).array != none && slot(n->id).type.elem == to.type.elem &&
        slot(n->id).type.complex == to.type.complex) {
      // Elements as they are, in another place: the runtime's copy, without code of its own for each variable.
      Slot fresh = new_slot("copy", to.type);
      temps_.push_back(fresh.array);
      const Layout layout = to.type.layout == Layout::Strided ? value->type.layout : to.type.layout;
      call(rt::Copy,
           {site_arg(), in_array(slot(n->id).array), out_array(fresh.array), layout_arg(layout), int_arg(where)}, true);
      move_array(to.array, fresh.array);
      return;
    }
  }
  Slot s;
  const ir::Type t = fresh_type(to.type, value->type);
  auto* alloc_node = ir::as<ir::Alloc>(value);
  // In a section zeros and ones are made where they are wanted, on the device.
  const bool filled = alloc_node && alloc_node->func != ir::AllocFunc::Empty;
  if (alloc_node && !((in_section_ || fn_.kind == Function::Kind::Kernel) && filled) &&
      alloc_node->type.elem == t.elem && alloc_node->type.complex == t.complex) {
    s = alloc(t, extents_from(alloc_node->args, t.rank),
              alloc_node->func == ir::AllocFunc::Ones    ? VR_FILL_ONE
              : alloc_node->func == ir::AllocFunc::Zeros ? VR_FILL_ZERO
                                                         : VR_FILL_NONE,
              where);
  } else {
    if (add_product(to, value, where)) return;
    // In a loop the host's allocation would be dear; its old storage does (in_old_storage).
    const bool here = where == VR_IN_ENGINE || loops_ == 0;
    ArrayGen g = gen(value, here ? where : VR_IN_ENGINE);
    if (g.rank() != t.rank)
      unsupported("a value of rank " + std::to_string(g.rank()) + " for a variable of type " + to.type.text(),
                  value->pos);
    g = convert(g, t.elem, t.complex);
    if (here && g.made.array != none && holds(to.type, g.made.type))
      s = g.made;
    else
      s = in_old_storage(to, g, t, where);
    if (s.array == none) s = materialise(g, t.layout, where);
  }
  move_array(to.array, s.array);
}

ir::Type FunctionLowering::fresh_type(const ir::Type& target, const ir::Type& value) {
  ir::Type t = target;
  if (t.layout == Layout::Strided) t.layout = value.layout == Layout::Strided ? Layout::RowMajor : value.layout;
  return t;
}

ir::ExprPtr FunctionLowering::named(Slot s) {
  const ir::SymbolId alias = --last_alias_;
  auto name = std::make_shared<ir::Name>(s.type, alias);
  slots_[alias] = std::move(s);
  return name;
}

// A value that already lies in a slot of its own (a call's result, a tuple's element) goes to a target.
void FunctionLowering::store_value(const ir::ExprPtr& target, Slot from) {
  const ir::ExprPtr value = named(from);
  if (auto* n = ir::as<ir::Name>(target)) {
    unique_.erase(n->id);
    ints_.erase(n->id);
    Slot to = slot(n->id);
    if (to.array != none && from.array != none && holds(to.type, from.type)) {
      move_array(to.array, from.array);
      return;
    }
  }
  assign_to(target, value);
}

}  // namespace vr::lower
