// A whole function: parameters, results, facts about the arguments of a specialisation, the cleanup.
#include "lower/function.hpp"

#include "loop/runtime_fn.hpp"
#include "lower/external.hpp"
#include "lower/index.hpp"
#include "lower/statement.hpp"
#include "lower/variables.hpp"

#include <algorithm>

namespace vr::lower {

static void use(Lowering& f, const Specialisation& s);

namespace {
// Array variables that may flow into a result: connected through whole-variable assignments (thesis 5.4).
std::set<ir::SymbolId> flows_to_result(const ir::Function& f) {
  std::set<ir::SymbolId> in;
  ir::walk_stmts(f.body, [&](const ir::Stmt& s) {
    if (auto* r = ir::as<ir::Return>(&s))
      for (const ir::ExprPtr& e : r->exprs)
        ir::walk_exprs(e, [&](const ir::Expr& n) {
          if (auto* name = ir::as<ir::Name>(&n)) in.insert(name->id);
        });
  });
  for (bool changed = true; changed;) {
    changed = false;
    ir::walk_stmts(f.body, [&](const ir::Stmt& s) {
      auto* a = ir::as<ir::Assign>(&s);
      if (!a || a->targets.size() != 1) return;
      auto* to = ir::as<ir::Name>(a->targets[0]);
      auto* from = ir::as<ir::Name>(a->value);
      if (to && from && in.count(to->id) && in.insert(from->id).second) changed = true;
    });
  }
  return in;
}
}  // namespace

void lower_entry(Lowering& f) {
  f.own.returned = flows_to_result(f.source);
  auto add = [](std::vector<Param>& to, const Slot& s) {
    for (const Slot& part : leaves(s)) to.push_back({part.var, part.im, part.array});
  };
  for (ir::SymbolId id : f.source.args) add(f.out.fn.params, slot(f, id));
  for (const ir::Type& t : f.source.type.outputs()) {
    if (t.is_void()) continue;
    f.results.push_back(new_slot(f.out, "result" + std::to_string(f.results.size()), t));
    // Owners of results go to the caller; they are not in the cleanup.
    add(f.out.fn.results, f.results.back());
  }
  f.out.at.loc = f.m.place(f.source.pos, f.source.loc);
  f.out.fn.place = f.out.place = f.m.place_number(f.source.pos, f.source.loc);
  for (const Specialisation& s : f.m.options.specialisations)
    if (s.function == f.source.name) use(f, s);
  if (f.m.recursive(f.source.name)) f.out.call(rt::Enter, {f.out.site_arg()}, true);
  look_for_sections(f);
  if (f.source.external) {
    external(f);
    return finish_cleanup(f);
  }
  body(f, f.source.body);
  if (!f.results.empty()) {
    // The verifier requires a return at the end; a path that reaches the end without one is a fault.
    f.out.at.loc = f.m.place(f.source.pos, f.source.loc);
    const bool ends = !f.source.body.empty() &&
                      (f.source.body.back()->kind == ir::Kind::Return || f.source.body.back()->kind == ir::Kind::Raise);
    if (!ends) f.out.emit(Fail{f.out.site({}, -1, "the function ended without returning a value"), VR_TYPE});
  }
  finish_cleanup(f);
}

// For a contiguous layout with known extents: the distance in bytes from an element to the next. Empty: not known.
static std::vector<int64_t> contiguous_strides(Emitter& out, const Slot& a, const std::vector<int64_t>& extent) {
  if (a.type.layout == ir::Layout::Strided || extent.empty()) return {};
  std::vector<int64_t> strides(extent.size());
  int64_t bytes = element_bytes(out, a)->ival;
  for (size_t n = 0; n < extent.size(); ++n) {
    const size_t d = a.type.layout == ir::Layout::ColMajor ? n : extent.size() - 1 - n;
    strides[d] = bytes;
    bytes *= std::max<int64_t>(extent[d], 1);
  }
  return strides;
}

// The extents of an argument that is assigned or may grow are known at entry only. A strided argument that is stored to
// under value semantics may be copied to new storage, which is disjoint from all others: strides are known at entry
// only.
static void use(Lowering& f, const Specialisation& s) {
  const LoopInfo facts = loop_info(f.source.body);
  std::set<ir::SymbolId> growing, seen;
  ir::walk_exprs(f.source.body, [&](const ir::Expr& e) {
    if (auto* i = ir::as<ir::Index>(&e); i && may_grow_any(f, *i)) growing.insert(i->array);
  });
  for (size_t k = 0; k < s.args.size() && k < f.source.args.size(); ++k) {
    const ir::SymbolId id = f.source.args[k];
    const Slot& a = slot(f, id);
    if (a.array == none || !seen.insert(id).second) continue;
    const ArrayVars vars = f.out.array(a.array);
    const bool assigned = facts.assigned.count(id), stored = facts.stored.count(id);
    const bool moves = stored && f.conv.assign == ir::AssignMode::Copy;
    auto know = [&](const std::vector<VarId>& to, const std::vector<int64_t>& values, bool stays) {
      for (size_t d = 0; d < to.size() && d < values.size(); ++d) {
        f.out.set(to[d], f.x.int_const(values[d]));
        if (stays) f.out.fn.constants[to[d]] = values[d];
      }
    };
    const bool extents_stay = !assigned && !(stored && growing.count(id));
    know(vars.extent, s.args[k].extent, extents_stay);
    std::vector<int64_t> strides = s.args[k].stride;
    if (strides.empty()) strides = contiguous_strides(f.out, a, s.args[k].extent);
    know(vars.stride, strides, extents_stay && (!moves || a.type.layout != ir::Layout::Strided));
    if (!assigned && s.args[k].alias_group >= 0) f.out.array(a.array).group = s.args[k].alias_group;
  }
}

// Every exit of the function releases the references of its array variables, except those of results and those that
// callees have taken over.
void finish_cleanup(Lowering& f) {
  std::set<ArrayId> gone = f.own.handed;
  for (const Param& p : f.out.fn.results)
    if (p.array != none) gone.insert(p.array);
  f.out.fn.cleanup = f.out.collect([&] {
    for (size_t a = 0; a < f.out.fn.arrays.size(); ++a)
      if (f.out.fn.arrays[a].owner != none && !gone.count(static_cast<ArrayId>(a)))
        // After a fault a section may still be open, with kernels using the storage: its end releases the storage.
        f.out.call(f.out.collected()     ? rt::Keep
                   : f.section.in_module ? rt::GpuRelease
                                         : rt::Release,
                   {f.out.scalar_arg(f.out.get(f.out.fn.arrays[a].owner))}, false);
  });
}

}  // namespace vr::lower
