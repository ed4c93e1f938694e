#include "lower/assign_array.hpp"

#include "ir/library.hpp"
#include "lower/array.hpp"
#include "lower/assign.hpp"
#include "lower/call.hpp"
#include "lower/element_loops.hpp"
#include "lower/index.hpp"
#include "lower/ownership.hpp"
#include "lower/product.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::AssignMode;
using ir::Layout;

void assign_copy(Lowering& f, Slot& to, const Slot& from, int where) {
  if (to.array == from.array) return;
  if (!holds(to.type, from.type)) {
    Slot s =
        materialise(f, convert(f.out, leaf(f.out, from, {}), to.type.elem, to.type.complex), to.type.layout, where);
    move_array(f, to.array, s.array);
    return;
  }
  const VarId owner = f.out.array(from.array).owner;
  if (owner == none && f.conv.assign == AssignMode::Copy) {
    // The array belongs to the function around this parallel loop, without a reference count here: it is copied.
    move_array(f, to.array, materialise(f, leaf(f.out, from, {}), to.type.layout, where).array);
    return;
  }
  if (f.out.fn.kind == Function::Kind::Kernel) f.out.unsupported("an array that shares its elements with another");
  retain(f.out, from.array);
  release(f, to.array);
  copy_fields(f.out, to.array, from.array);
  // Without an owner the reference is borrowed: the function around the parallel loop holds one until the loop ends.
  if (f.out.array(to.array).owner != none)
    f.out.set(f.out.array(to.array).owner, owner == none ? f.x.null() : f.out.get(owner));
}

Slot in_old_storage(Lowering& f, const Slot& to, const ArrayGen& g, const ir::Type& type, int where) {
  if (f.out.collected() || f.section.inside || f.section.in_function || f.out.fn.kind == Function::Kind::Kernel ||
      f.out.array(to.array).owner == none || !g.leaves_known || g.costly)
    return {};
  ExprP data = f.out.get(f.out.array(to.array).data), same_shape = f.x.bool_const(true);
  for (int k = 0; k < g.rank(); ++k)
    same_shape = f.x.both(same_shape, f.x.eq(g.extent[static_cast<size_t>(k)],
                                             f.out.get(f.out.array(to.array).extent[static_cast<size_t>(k)])));
  // Whether the leaf is the whole variable, read at the subscript written; a slice may begin at the same address.
  auto whole = [&](const ArrayGen::Leaf& l) {
    bool all = same(l.data, data) && l.aligned && l.extent.size() == static_cast<size_t>(to.type.rank) &&
               l.bytes == element_bytes(f.out, to)->ival && to.type.layout == type.layout;
    for (size_t k = 0; all && k < l.extent.size(); ++k)
      all = same(l.extent[k], f.out.get(f.out.array(to.array).extent[k])) &&
            same(l.stride[k], stride(f.out, to, static_cast<int>(k)));
    return all;
  };
  // A view in another variable holds a reference, so that the storage is not reused. A slice in the value itself holds
  // none: every read of the variable must be one of the variable as a whole.
  const auto reads =
      std::count_if(g.reads.begin(), g.reads.end(), [&](ir::SymbolId id) { return slot(f, id).array == to.array; });
  if (reads != std::count_if(g.leaves.begin(), g.leaves.end(), whole)) return {};
  Slot s = new_slot(f.out, "tmp", type);
  f.own.temps.push_back(s.array);
  std::vector<Arg> rest = {f.out.int_arg(int(type.elem) | (type.complex ? VR_COMPLEX : 0)), f.out.int_arg(type.rank),
                           f.out.int64s_arg(g.extent), f.out.layout_arg(type.layout)};
  auto with = [&](std::vector<Arg> first, std::vector<Arg> last) {
    first.insert(first.end(), rest.begin(), rest.end());
    first.insert(first.end(), last.begin(), last.end());
    return first;
  };
  Block take = f.out.collect([&] {
    f.out.call(rt::AllocFor,
               with({f.out.site_arg(), f.out.inout_array(to.array), f.out.out_array(s.array)}, {f.out.int_arg(where)}),
               true);
  });
  if (reads == 0 || is_true(same_shape)) {
    f.out.append(std::move(take));
  } else {
    Block fresh = f.out.collect([&] {
      f.out.call(
          rt::Alloc,
          with({f.out.site_arg(), f.out.out_array(s.array)}, {f.out.int_arg(VR_FILL_NONE), f.out.int_arg(where)}),
          true);
    });
    f.out.emit(If{same_shape, std::move(take), std::move(fresh)});
  }
  fill(f, s, g);
  return s;
}

// A subscript that runs over several dimensions of a strided array has no single stride: such a slice is copied.
bool is_view(Lowering& f, const ir::Index& i) {
  // An array of the function around a parallel loop has no reference count here: no copy on write for views.
  if (f.conv.assign == AssignMode::Copy && f.out.array(slot(f, i.array).array).owner == none) return false;
  if (all_scalar(f, i) || i.type.layout != Layout::Strided ||
      i.copyslice.value_or(f.conv.slices == ir::SliceMode::Copy))
    return false;
  for (const ir::Subscript& s : i.subscripts)
    if (s.value->type.is_array()) return false;
  const ir::Type& base = slot(f, i.array).type;
  return base.elem == i.type.elem && base.complex == i.type.complex &&
         (!flattens(f, i) || base.layout != Layout::Strided);
}

// A slice that shares its array's elements.
static void assign_view(Lowering& f, const Slot& to, const ir::Index& i) {
  if (f.out.fn.kind == Function::Kind::Kernel)
    f.out.unsupported("an array that shares its elements with another", i.pos);
  const Slot base = slot(f, i.array);
  View v = view(f, i, false);
  v.data = f.out.temp(v.data, "view");
  // If the variable is replaced by a slice of itself, its owner stays the same.
  if (to.array != base.array) {
    retain(f.out, base.array);
    release(f, to.array);
  }
  VarId owner = f.out.array(base.array).owner;
  f.out.set(f.out.array(to.array).data, v.data);
  copy_flags(f.out, to.array, base.array);
  // Temporaries first: the target may be the array that is being sliced.
  std::vector<ExprP> extent, step;
  for (size_t k = 0; k < v.extent.size(); ++k) {
    extent.push_back(is_const(v.extent[k]) ? v.extent[k] : f.out.temp(v.extent[k]));
    step.push_back(is_const(v.stride[k]) ? v.stride[k] : f.out.temp(v.stride[k]));
  }
  for (size_t k = 0; k < v.extent.size(); ++k) {
    f.out.set(f.out.array(to.array).extent[k], extent[k]);
    f.out.set(f.out.array(to.array).stride[k], step[k]);
  }
  if (to.array != base.array && f.out.array(to.array).owner != none)
    f.out.set(f.out.array(to.array).owner, owner == none ? f.x.null() : f.out.get(owner));
}

// A copy without conversion of elements, made by the runtime: less code than a loop for each assignment.
static Slot copied(Lowering& f, const Slot& from, const ir::Type& type, Layout layout, int where) {
  Slot fresh = new_slot(f.out, "copy", type);
  f.own.temps.push_back(fresh.array);
  f.out.call(rt::Copy,
             {f.out.site_arg(), f.out.in_array(from.array), f.out.out_array(fresh.array), f.out.layout_arg(layout),
              f.out.int_arg(where)},
             true);
  return fresh;
}

// Computes the value into new storage or into the target's; an empty slot if it was added to the target's elements.
static Slot computed(Lowering& f, Slot& to, const ir::ExprPtr& value, int where) {
  const ir::Type t = fresh_type(to.type, value->type);
  // In a section zeros and ones are computed by kernels, so that they are not transferred to the device.
  const bool on_device = f.section.inside || f.out.fn.kind == Function::Kind::Kernel;
  if (auto* a = ir::as<ir::Alloc>(value);
      a && !(on_device && a->func != ir::AllocFunc::Empty) && a->type.elem == t.elem && a->type.complex == t.complex)
    return alloc(f, t, extents_from(f, a->args, t.rank), fill_of(a->func), where);
  if (add_product(f, to, value, where)) return {};
  // In a loop the host's allocator would be expensive; the engine's is used, or the old storage (in_old_storage). A
  // copy by the device would be more expensive.
  const bool here = where == VR_IN_ENGINE || f.loops.depth == 0 || f.section.inside;
  ArrayGen g = gen(f, value, here ? where : VR_IN_ENGINE);
  if (g.rank() != t.rank)
    f.out.unsupported("a value of rank " + std::to_string(g.rank()) + " for a variable of type " + to.type.text(),
                      value->pos);
  g = convert(f.out, g, t.elem, t.complex);
  if (here && g.made.array != none && holds(to.type, g.made.type)) return g.made;
  const Slot s = in_old_storage(f, to, g, t, where);
  return s.array == none ? materialise(f, g, t.layout, where) : s;
}

/// Whether an iteration's own array gets another name for good. An allocation gives the same memory each time: when it
/// runs again, nothing may need what the new name refers to.
static bool is_renamed(Lowering& f, const ir::Name& from) {
  if (f.out.fn.kind != Function::Kind::Kernel || !f.uses.stmt || !last_use(f, from.id, 1)) return false;
  const ArrayId array = slot(f, from.id).array;
  const auto& params = f.out.fn.params;
  if (std::any_of(params.begin(), params.end(), [&](const Param& p) { return p.array == array; })) return false;
  const ir::Stmt* made = f.uses.last->only_allocation(from.id);
  auto* assigned = ir::as<ir::Assign>(f.uses.stmt);
  auto* to = assigned && assigned->targets.size() == 1 ? ir::as<ir::Name>(assigned->targets[0]) : nullptr;
  return made && to && f.uses.last->ends_with(*made, to->id);
}

void assign_array(Lowering& f, Slot& to, const ir::ExprPtr& given, int where) {
  const ir::ExprPtr& value = unwrap_copy(f.out, given);
  if (value->type.is_scalar()) {
    Slot s = materialise(
        f, convert(f.out, one_element(f.out, scalar(f, value), to.type.rank), to.type.elem, to.type.complex),
        to.type.layout, where);
    move_array(f, to.array, s.array);
    return;
  }
  if (auto* n = ir::as<ir::Name>(value)) {
    const Slot& from = slot(f, n->id);
    if (f.out.array(from.array).owner != none && f.out.array(to.array).owner != none && holds(to.type, from.type) &&
        last_use(f, n->id, 1))
      move_array(f, to.array, from.array);  // its last use: the reference is moved
    else if (holds(to.type, from.type) && is_renamed(f, *n))
      move_array(f, to.array, from.array);
    else
      assign_copy(f, to, from, where);
    return;
  }
  if (auto* n = ir::as<ir::TupleIndex>(value)) {
    Slot& t = slot(f, n->tuple);
    size_t k = static_cast<size_t>(n->index - f.conv.indexing);
    if (k >= t.parts.size() || t.parts[k].array == none) f.out.unsupported("this tuple element as an array", n->pos);
    assign_copy(f, to, as_stated(f, t.parts[k], value->type), where);
    return;
  }
  if (auto* i = ir::as<ir::Index>(value); i && to.type.layout == Layout::Strided && is_view(f, *i)) {
    const ir::Type& base = slot(f, i->array).type;
    if (base.elem == to.type.elem && base.complex == to.type.complex) return assign_view(f, to, *i);
  }
  if (auto* c = ir::as<ir::FnCall>(value); c && f.m.index_of(c->callee) != none) {
    std::vector<Slot> r = call_results(f, value);
    if (r.size() == 1 && r[0].array != none) {
      const Slot s = as_stated(f, r[0], value->type);
      if (holds(to.type, s.type))
        move_array(f, to.array, s.array);
      else
        assign_copy(f, to, s, where);
      return;
    }
    f.out.unsupported("the result of '" + c->callee + "' as an array", c->pos);
  }
  if (auto* c = ir::as<ir::LibCall>(value); c && ir::calls(c, ir::Lib::Copy)) {
    auto* n = ir::as<ir::Name>(c->args[0]);
    if (n && !f.section.inside && slot(f, n->id).array != none && slot(f, n->id).type.elem == to.type.elem &&
        slot(f, n->id).type.complex == to.type.complex) {
      const Layout layout = to.type.layout == Layout::Strided ? value->type.layout : to.type.layout;
      return move_array(f, to.array, copied(f, slot(f, n->id), to.type, layout, where).array);
    }
  }
  if (const Slot s = computed(f, to, value, where); s.array != none) move_array(f, to.array, s.array);
}

ir::Type fresh_type(const ir::Type& target, const ir::Type& value) {
  ir::Type t = target;
  if (t.layout == Layout::Strided) t.layout = value.layout == Layout::Strided ? Layout::RowMajor : value.layout;
  return t;
}

}  // namespace vr::lower
