// Variables, sites, calls, reference counts: what all themes of lowering build upon.
#include "lower/variables.hpp"

#include "lower/index.hpp"
#include "lower/runtime_fn.hpp"
#include "lower/statement.hpp"

#include <algorithm>

namespace vr::lower {

static void use(Lowering& f, const Specialisation& s);

Slot new_slot(Emitter& out, const std::string& name, const ir::Type& type, bool owned) {
  owned = owned && out.fn.kind != Function::Kind::Kernel;  // nobody counts there
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
      // Of each dimension what was written, in the dimension's type, and RangeBits: parts may be left out.
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

// ---------------------------------------------------------------- reference counts
void retain(Emitter& out, ArrayId a) {
  if (out.collected()) return;
  if (out.array(a).owner != none) out.call(rt::Retain, {out.scalar_arg(out.get(out.array(a).owner))}, false);
}

// Whether the assignments just emitted leave the variable null, as when a reference was handed over.
static bool left_null(const Block& b, VarId owner) {
  for (auto it = b.rbegin(); it != b.rend(); ++it) {
    auto* s = std::get_if<SetVar>(&it->node);
    if (!s) return false;
    if (s->var == owner) return s->value->kind == Expr::Kind::Null;
  }
  return false;
}

void release(Lowering& f, ArrayId a) {
  if (f.out.array(a).owner == none || left_null(*f.out.block, f.out.array(a).owner)) return;
  const auto fn = f.out.collected() ? rt::Keep : f.section.in_module ? rt::GpuRelease : rt::Release;
  f.out.call(fn, {f.out.scalar_arg(f.out.get(f.out.array(a).owner))}, false);
  f.out.set(f.out.array(a).owner, f.x.null());
}

void copy_flags(Emitter& out, ArrayId to, ArrayId from) {
  if (to == from || out.array(to).flags == none) return;
  out.set(out.array(to).flags,
          out.array(from).flags == none ? out.x.int_const(0, Scalar::Int32) : out.get(out.array(from).flags));
}

void copy_fields(Emitter& out, ArrayId to, ArrayId from) {
  if (to == from) return;
  out.set(out.array(to).data, out.get(out.array(from).data));
  copy_flags(out, to, from);
  for (size_t k = 0; k < out.array(to).extent.size(); ++k) {
    out.set(out.array(to).extent[k], out.get(out.array(from).extent[k]));
    out.set(out.array(to).stride[k], out.get(out.array(from).stride[k]));
  }
}

void move_array(Lowering& f, ArrayId to, ArrayId from) {
  if (to == from) return;
  if (f.out.fn.kind == Function::Kind::Kernel) {
    // Of one shape wherever it is made: then that shape is known.
    for (size_t k = 0; k < f.out.array(to).extent.size(); ++k) {
      const auto size = f.out.known.find(f.out.array(from).extent[k]);
      if (size == f.out.known.end())
        f.out.unsupported("an array private to an iteration, of a size not known before it runs,");
      const auto [it, added] = f.out.known.emplace(f.out.array(to).extent[k], size->second);
      if (!added && it->second != size->second)
        f.out.unsupported("an array private to an iteration, of several sizes,");
      const auto [step, first] =
          f.out.known.emplace(f.out.array(to).stride[k], f.out.known.at(f.out.array(from).stride[k]));
      if (!first && step->second != f.out.known.at(f.out.array(from).stride[k]))
        f.out.unsupported("an array private to an iteration, in several orders,");
    }
  }
  release(f, to);
  copy_fields(f.out, to, from);
  if (f.out.array(to).owner == none) return;
  if (f.out.array(from).owner == none) {
    f.out.set(f.out.array(to).owner, f.x.null());
    return;
  }
  f.out.set(f.out.array(to).owner, f.out.get(f.out.array(from).owner));
  f.out.set(f.out.array(from).owner, f.x.null());
}

void release_temps(Lowering& f, size_t from) {
  for (size_t i = from; i < f.own.temps.size(); ++i) release(f, f.own.temps[i]);
  f.own.temps.resize(from);
}

// ---------------------------------------------------------------- a whole function
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
  f.out.fn.place = f.out.at.place = f.m.place_number(f.source.pos, f.source.loc);
  if (f.m.options.specialisation && f.m.options.specialisation->function == f.source.name)
    use(f, *f.m.options.specialisation);
  if (f.m.recursive(f.source.name)) f.out.call(rt::Enter, {f.out.site_arg()}, true);
  look_for_sections(f);
  body(f, f.source.body);
  if (!f.results.empty()) {
    // The verifier asks for a return on the way out; a path that falls off the end all the same gives empty results.
    f.out.at.loc = f.m.place(f.source.pos, f.source.loc);
    if (f.source.body.empty() || f.source.body.back()->kind != ir::Kind::Return)
      f.out.emit(Fail{f.out.site({}, -1, "the function ended without returning a value"), VR_TYPE});
  }
  finish_cleanup(f);
}

// Where the layout is contiguous and the extents are known: bytes from an element to the next. Empty: not known.
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

// An argument that is assigned or may grow has its extents at first only; one that is stored to may move to storage of
// its own, which lies apart from all other.
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
        if (stays) f.out.known[to[d]] = values[d];
      }
    };
    const bool extents_stay = !assigned && !(stored && growing.count(id));
    know(vars.extent, s.args[k].extent, extents_stay);
    std::vector<int64_t> strides = s.args[k].stride;
    if (strides.empty()) strides = contiguous_strides(f.out, a, s.args[k].extent);
    know(vars.stride, strides, extents_stay && (!moves || a.type.layout != ir::Layout::Strided));
    if (!assigned && s.args[k].alias_group >= 0) f.facts.alias_groups[id] = s.args[k].alias_group;
  }
}

// On every way out each array variable gives up its reference; results and what callees took over are not ours any
// more.
void finish_cleanup(Lowering& f) {
  std::set<ArrayId> gone = f.own.handed;
  for (const Param& p : f.out.fn.results)
    if (p.array != none) gone.insert(p.array);
  f.out.fn.cleanup = f.out.collect([&] {
    for (size_t a = 0; a < f.out.fn.arrays.size(); ++a)
      if (f.out.fn.arrays[a].owner != none && !gone.count(static_cast<ArrayId>(a)))
        // A fault may leave a section open, with kernels still at work on the storage: its end gives it back.
        f.out.call(f.out.collected()     ? rt::Keep
                   : f.section.in_module ? rt::GpuRelease
                                         : rt::Release,
                   {f.out.scalar_arg(f.out.get(f.out.fn.arrays[a].owner))}, false);
  });
}

}  // namespace vr::lower
