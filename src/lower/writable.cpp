#include "lower/writable.hpp"

#include "ir/library.hpp"
#include "lower/assign.hpp"
#include "lower/index.hpp"
#include "lower/ownership.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

namespace vr::lower {

using ir::AssignMode;

ExprP is_read_only(Emitter& out, ArrayId a) {
  if (out.array(a).flags == none) return out.x.bool_const(false);
  ExprP bit = out.x.binary(Op::And, out.get(out.array(a).flags), out.x.int_const(VR_ARRAY_READ_ONLY, Scalar::Int32));
  return out.x.ne(bit, out.x.int_const(0, Scalar::Int32));
}

// The check of every store, after its value is computed and before its subscripts are checked. Under reference
// semantics the array must not be read-only: a test of a variable that is invariant in the loops around, so that the
// versions of loops do it once before they start (transform/version.cpp). Under value semantics the
// variable must be the only owner of its storage (copy on write); a variable whose array came from the host never is.
void before_store(Lowering& f, ir::SymbolId id, bool kernels, ExprP when) {
  if (f.facts.unique.count(id)) return;
  const Slot s = slot(f, id);
  if (s.array == none) return;
  if (f.conv.assign == AssignMode::Share) {
    ExprP bad = is_read_only(f.out, s.array);
    f.out.fail_if(when ? f.x.both(when, bad) : bad, Code::ReadOnly, {}, name_of(f, id));
    return;
  }
  if (f.out.array(s.array).owner == none) return;
  std::vector<Arg> args = {f.out.site_arg(name_of(f, id)), f.out.inout_array(s.array), f.out.layout_arg(s.type.layout),
                           f.out.int_arg(where_of(f, id))};
  if (f.section.newest_may_be_away()) args.push_back(f.out.int_arg(f.section.inside && kernels));
  f.out.call(f.section.newest_may_be_away() ? rt::GpuMakeUnique : rt::MakeUnique, std::move(args), true);
}

// Arrays made unique before the loop are unique in every iteration and after the loop. Whether an array is read-only is
// tested at the store, which the loop need not reach.
void unique_before_loop(Lowering& f, const LoopInfo& facts) {
  forget_unique(f, facts);
  if (f.conv.assign != AssignMode::Copy) return;
  for (ir::SymbolId id : facts.stored) {
    if (facts.assigned.count(id) || facts.shared.count(id) ||
        (f.conv.slices == ir::SliceMode::View && facts.viewed.count(id)))
      continue;
    before_store(f, id, true);
    f.facts.unique.insert(id);
  }
}

void forget_unique(Lowering& f, const LoopInfo& facts) {
  for (ir::SymbolId id : facts.assigned) f.facts.unique.erase(id);
  if (f.conv.assign != AssignMode::Copy) return;
  for (ir::SymbolId id : facts.shared) f.facts.unique.erase(id);
  if (f.conv.slices == ir::SliceMode::View)
    for (ir::SymbolId id : facts.viewed) f.facts.unique.erase(id);
}

// A new array has one owner and is writable, a store has ensured both, and moving a reference changes neither. Under
// reference semantics another reference to an array, or a view of it, is as writable as the array.
void assigned_unique(Lowering& f, const ir::Assign& a, bool value_was_unique) {
  if (a.targets.size() != 1) return;
  const bool share = f.conv.assign == AssignMode::Share;
  if (auto* i = ir::as<ir::Index>(a.targets[0]); i && (share || (all_scalar(f, *i) && !a.value->type.is_array())))
    f.facts.unique.insert(i->array);
  auto* n = ir::as<ir::Name>(a.targets[0]);
  if (!n || !n->type.is_array()) return;
  const ir::ExprPtr& value = unwrap_copy(f.out, a.value);
  switch (value->kind) {
    case ir::Kind::Name:
      if (value_was_unique && (share || last_use(f, static_cast<const ir::Name&>(*value).id, 1)))
        f.facts.unique.insert(n->id);
      return;
    case ir::Kind::Index:
      if (share && value_was_unique) f.facts.unique.insert(n->id);
      if (value->type.is_array()) return;
      break;
    case ir::Kind::TupleIndex:
    case ir::Kind::FnCall:
      if (value->type.is_array()) return;
      break;
    default:
      break;
  }
  f.facts.unique.insert(n->id);
}

}  // namespace vr::lower
