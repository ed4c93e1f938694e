// Variables, sites, calls, reference counts: what all themes of lowering build upon.
#include "lower/function_lowering.hpp"

#include "lower/runtime_fn.hpp"

#include <algorithm>

namespace vr::lower {

FunctionLowering::FunctionLowering(ModuleLowering& module, const ir::Function& source, Function& target)
    : m_(module), source_(source), fn_(target), x_(module.x), block_(&target.body), conv_(module.conventions) {
  fn_.source_name = source.name;
  fn_.fast_math = conv_.fast_math;
}

VarId FunctionLowering::new_var(const std::string& name, Scalar type) {
  fn_.vars.push_back({name, type});
  return static_cast<VarId>(fn_.vars.size() - 1);
}

ExprP FunctionLowering::temp(ExprP e, const char* name) {
  VarId v = new_var(name, e->type);
  set(v, e);
  return get(v);
}

ScalarValue FunctionLowering::keep(ScalarValue v) {
  v.re = keep(v.re);
  if (v.im) v.im = keep(v.im);
  return v;
}

ArrayId FunctionLowering::new_array(const std::string& name, ir::Elem elem, bool complex, int rank, bool owned) {
  ArrayVars a;
  a.name = name;
  a.elem = elem;
  a.complex = complex;
  a.data = new_var(name + ".data", Scalar::Ptr);
  if (owned) a.owner = new_var(name + ".owner", Scalar::Ptr);
  if (owned) a.flags = new_var(name + ".flags", Scalar::Int32);
  for (int k = 0; k < rank; ++k) a.extent.push_back(new_var(name + ".extent" + std::to_string(k), Scalar::Int64));
  for (int k = 0; k < rank; ++k) a.stride.push_back(new_var(name + ".stride" + std::to_string(k), Scalar::Int64));
  fn_.arrays.push_back(std::move(a));
  return static_cast<ArrayId>(fn_.arrays.size() - 1);
}

Slot FunctionLowering::new_slot(const std::string& name, const ir::Type& type, bool owned) {
  owned = owned && fn_.kind != Function::Kind::Kernel;  // nobody counts there
  Slot s;
  s.type = type;
  switch (type.kind) {
    case ir::TypeKind::Scalar:
      s.var = new_var(name, scalar_of(type.elem));
      if (type.complex) s.im = new_var(name + ".im", scalar_of(type.elem));
      break;
    case ir::TypeKind::Array:
      s.array = new_array(name, type.elem, type.complex, type.rank, owned);
      break;
    case ir::TypeKind::Tuple:
      for (const ir::Type& t : type.components())
        s.parts.push_back(new_slot(name + "." + std::to_string(s.parts.size()), t, owned));
      break;
    case ir::TypeKind::Function:
      s.var = new_var(name, Scalar::Ptr);
      break;
    case ir::TypeKind::Domain:
      // Of each dimension what was written, in the dimension's type, and RangeBits: parts may be left out.
      for (const ir::Type& t : type.components()) {
        for (const char* part : {".start", ".step", ".stop"}) s.parts.push_back(new_slot(name + part, t, owned));
        s.parts.push_back(new_slot(name + ".given", ir::Type::scalar(ir::Elem::Int32), owned));
      }
      break;
    case ir::TypeKind::Null:
    case ir::TypeKind::Void:
      break;
  }
  return s;
}

const std::string& FunctionLowering::name_of(ir::SymbolId id) const {
  if (inlined_)
    for (const auto& [own, name] : inlined_->names)
      if (own == id) return name;
  return source_.symbols.at(id).name;
}

std::vector<Slot> FunctionLowering::leaves(const Slot& s) {
  if (s.parts.empty() && !s.type.is_tuple()) return {s};
  std::vector<Slot> all;
  for (const Slot& p : s.parts)
    for (Slot& leaf : leaves(p)) all.push_back(std::move(leaf));
  return all;
}

Slot& FunctionLowering::slot(ir::SymbolId id) {
  auto it = slots_.find(id);
  if (it == slots_.end()) it = slots_.emplace(id, new_slot(name_of(id), source_.symbols.at(id).type)).first;
  return it->second;
}

SiteId FunctionLowering::site(const std::string& array, int axis, const std::string& message) {
  Site s{inlined_ ? inlined_->function : source_.name, loc_, array, axis, message};
  auto& sites = m_.out->sites;
  for (size_t i = sites.size(); i-- > 0 && sites.size() - i < 64;)
    if (sites[i].function == s.function && sites[i].loc == s.loc && sites[i].array == s.array &&
        sites[i].axis == s.axis && sites[i].message == s.message)
      return static_cast<SiteId>(i);
  sites.push_back(std::move(s));
  return static_cast<SiteId>(sites.size() - 1);
}

void FunctionLowering::fail_if(ExprP cond, Code code, const std::string& message, const std::string& array, int axis,
                               ExprP index, ExprP extent) {
  if (is_false(cond)) return;
  Fail fail{site(array, axis, message), static_cast<int32_t>(code), index, extent};
  If test{cond, {}, {}, true};
  test.then_body.push_back(Stmt{fail});
  emit(std::move(test));
}

void FunctionLowering::unsupported(const std::string& what, ir::TextPos pos) const {
  throw Unsupported{pos.line ? pos : pos_, what};
}

// ---------------------------------------------------------------- calls
void FunctionLowering::call(int32_t fn, std::vector<Arg> args, bool checked, VarId result) {
  positions_.clear();  // arrays may be others now
  if (fn_.kind == Function::Kind::Kernel) unsupported("a runtime call inside an OpenCL kernel");
  emit(Call{fn, std::move(args), result, checked});
}
Arg FunctionLowering::in_array(ArrayId a) const {
  Arg r{Arg::Kind::Array};
  r.array = a;
  return r;
}
Arg FunctionLowering::out_array(ArrayId a) const {
  Arg r = in_array(a);
  r.out = true;
  r.in = false;
  return r;
}
Arg FunctionLowering::inout_array(ArrayId a) const {
  Arg r = in_array(a);
  r.out = true;
  return r;
}
Arg FunctionLowering::site_arg(const std::string& array) {
  Arg r{Arg::Kind::Site};
  r.site = site(array);
  return r;
}
Arg FunctionLowering::int64s_arg(std::vector<ExprP> v) const {
  Arg r{Arg::Kind::Int64s};
  r.values = std::move(v);
  return r;
}

// ---------------------------------------------------------------- reference counts
void FunctionLowering::retain(ArrayId a) {
  if (collected()) return;
  if (array(a).owner != none) call(rt::Retain, {scalar_arg(get(array(a).owner))}, false);
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

void FunctionLowering::release(ArrayId a) {
  if (array(a).owner == none || left_null(*block_, array(a).owner)) return;
  const auto fn = collected() ? rt::Keep : module_has_section_ ? rt::GpuRelease : rt::Release;
  call(fn, {scalar_arg(get(array(a).owner))}, false);
  set(array(a).owner, x_.null());
}

void FunctionLowering::copy_flags(ArrayId to, ArrayId from) {
  if (to == from || array(to).flags == none) return;
  set(array(to).flags, array(from).flags == none ? x_.int_const(0, Scalar::Int32) : get(array(from).flags));
}

void FunctionLowering::copy_fields(ArrayId to, ArrayId from) {
  if (to == from) return;
  set(array(to).data, get(array(from).data));
  copy_flags(to, from);
  for (size_t k = 0; k < array(to).extent.size(); ++k) {
    set(array(to).extent[k], get(array(from).extent[k]));
    set(array(to).stride[k], get(array(from).stride[k]));
  }
}

void FunctionLowering::move_array(ArrayId to, ArrayId from) {
  if (to == from) return;
  if (fn_.kind == Function::Kind::Kernel) {
    // Of one shape wherever it is made: then that shape is known.
    for (size_t k = 0; k < array(to).extent.size(); ++k) {
      const auto size = known_.find(array(from).extent[k]);
      if (size == known_.end()) unsupported("an array private to an iteration, of a size not known before it runs,");
      const auto [it, added] = known_.emplace(array(to).extent[k], size->second);
      if (!added && it->second != size->second) unsupported("an array private to an iteration, of several sizes,");
      const auto [step, first] = known_.emplace(array(to).stride[k], known_.at(array(from).stride[k]));
      if (!first && step->second != known_.at(array(from).stride[k]))
        unsupported("an array private to an iteration, in several orders,");
    }
  }
  release(to);
  copy_fields(to, from);
  if (array(to).owner == none) return;
  if (array(from).owner == none) {
    set(array(to).owner, x_.null());
    return;
  }
  set(array(to).owner, get(array(from).owner));
  set(array(from).owner, x_.null());
}

void FunctionLowering::release_temps(size_t from) {
  for (size_t i = from; i < temps_.size(); ++i) release(temps_[i]);
  temps_.resize(from);
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

void FunctionLowering::entry() {
  returned_ = flows_to_result(source_);
  auto add = [](std::vector<Param>& to, const Slot& s) {
    for (const Slot& part : leaves(s)) to.push_back({part.var, part.im, part.array});
  };
  for (ir::SymbolId id : source_.args) add(fn_.params, slot(id));
  for (const ir::Type& t : source_.type.outputs()) {
    if (t.is_void()) continue;
    results_.push_back(new_slot("result" + std::to_string(results_.size()), t));
    // Owners of results go to the caller; they are not in the cleanup.
    add(fn_.results, results_.back());
  }
  loc_ = m_.place(source_.pos, source_.loc);
  fn_.place = place_ = m_.place_number(source_.pos, source_.loc);
  if (m_.options.specialisation && m_.options.specialisation->function == source_.name) use(*m_.options.specialisation);
  if (m_.recursive(source_.name)) call(rt::Enter, {site_arg()}, true);
  look_for_sections();
  body(source_.body);
  if (!results_.empty()) {
    // The verifier asks for a return on the way out; a path that falls off the end all the same gives empty results.
    loc_ = m_.place(source_.pos, source_.loc);
    if (source_.body.empty() || source_.body.back()->kind != ir::Kind::Return)
      emit(Fail{site({}, -1, "the function ended without returning a value"), VR_TYPE});
  }
  finish_cleanup();
}

// Where the layout is contiguous and the extents are known: bytes from an element to the next. Empty: not known.
std::vector<int64_t> FunctionLowering::contiguous_strides(const Slot& a, const std::vector<int64_t>& extent) {
  if (a.type.layout == ir::Layout::Strided || extent.empty()) return {};
  std::vector<int64_t> strides(extent.size());
  int64_t bytes = element_bytes(a)->ival;
  for (size_t n = 0; n < extent.size(); ++n) {
    const size_t d = a.type.layout == ir::Layout::ColMajor ? n : extent.size() - 1 - n;
    strides[d] = bytes;
    bytes *= std::max<int64_t>(extent[d], 1);
  }
  return strides;
}

// An argument that is assigned or may grow has its extents at first only; one that is stored to may move to storage of
// its own, which lies apart from all other.
void FunctionLowering::use(const Specialisation& s) {
  const LoopInfo facts = loop_info(source_.body);
  std::set<ir::SymbolId> growing, seen;
  ir::walk_exprs(source_.body, [&](const ir::Expr& e) {
    if (auto* i = ir::as<ir::Index>(&e); i && may_grow_any(*i)) growing.insert(i->array);
  });
  for (size_t k = 0; k < s.args.size() && k < source_.args.size(); ++k) {
    const ir::SymbolId id = source_.args[k];
    const Slot& a = slot(id);
    if (a.array == none || !seen.insert(id).second) continue;
    const ArrayVars vars = array(a.array);
    const bool assigned = facts.assigned.count(id), stored = facts.stored.count(id);
    const bool moves = stored && conv_.assign == ir::AssignMode::Copy;
    auto know = [&](const std::vector<VarId>& to, const std::vector<int64_t>& values, bool stays) {
      for (size_t d = 0; d < to.size() && d < values.size(); ++d) {
        set(to[d], x_.int_const(values[d]));
        if (stays) known_[to[d]] = values[d];
      }
    };
    const bool extents_stay = !assigned && !(stored && growing.count(id));
    know(vars.extent, s.args[k].extent, extents_stay);
    std::vector<int64_t> strides = s.args[k].stride;
    if (strides.empty()) strides = contiguous_strides(a, s.args[k].extent);
    know(vars.stride, strides, extents_stay && (!moves || a.type.layout != ir::Layout::Strided));
    if (!assigned && s.args[k].alias_group >= 0) alias_groups_[id] = s.args[k].alias_group;
  }
}

// On every way out each array variable gives up its reference; results and what callees took over are not ours any
// more.
void FunctionLowering::finish_cleanup() {
  std::set<ArrayId> gone = handed_;
  for (const Param& p : fn_.results)
    if (p.array != none) gone.insert(p.array);
  fn_.cleanup = collect([&] {
    for (size_t a = 0; a < fn_.arrays.size(); ++a)
      if (fn_.arrays[a].owner != none && !gone.count(static_cast<ArrayId>(a)))
        // A fault may leave a section open, with kernels still at work on the storage: its end gives it back.
        call(collected()           ? rt::Keep
             : module_has_section_ ? rt::GpuRelease
                                   : rt::Release,
             {scalar_arg(get(fn_.arrays[a].owner))}, false);
  });
}

}  // namespace vr::lower
