// Calls of module functions and of handles. The callee consumes one reference of each array argument.
#include "lower/function_lowering.hpp"

#include "lower/evaluation_order.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"

namespace vr::lower {

std::vector<Slot> FunctionLowering::call_results(const ir::ExprPtr& e) {
  const auto& c = static_cast<const ir::FnCall&>(*e);
  CallFunction call_stmt{m_.index_of(c.callee), none, {}, {}};
  ir::Type type;
  // A variable of function type goes before a function of the module (thesis 4.1.2).
  for (const ir::Symbol& s : source_.symbols.all())
    if (s.name == c.callee && s.type.is_function()) {
      call_stmt.callee = none;
      call_stmt.handle = slot(s.id).var;
      type = s.type;
    }
  if (call_stmt.handle == none) {
    const ir::Function* f = m_.ir.find(c.callee);
    if (!f) unsupported("a call of '" + c.callee + "', which is no function of the module or the library", c.pos);
    type = f->type;
  }
  if (fn_.kind == Function::Kind::Kernel) unsupported("a call of '" + c.callee + "' inside an OpenCL kernel", c.pos);
  if (call_stmt.handle != none)
    fail_if(x_.eq(get(call_stmt.handle), x_.null()), Code::Type,
            "'" + c.callee + "' is called, but was given no function");
  const auto& ins = type.components();
  if (ins.size() != c.args.size()) unsupported("a call of '" + c.callee + "' with another number of arguments", c.pos);

  // Everything that can fail first ...
  struct Pending {
    Slot slot;
    bool temporary = false;
    ir::SymbolId id = none;
  };
  std::vector<Pending> pending;
  std::vector<std::pair<size_t, ir::Type>> copied;
  // A variable that nothing reads afterwards gives its reference away: f = g(f) can work in place.
  auto given_away = [&](ir::SymbolId id) {
    int mentions = 0, whole = 0;
    ir::walk_exprs(e, [&](const ir::Expr& n) {
      mentions += ir::named_variable(n) == id;
      whole += n.kind == ir::Kind::Name && ir::named_variable(n) == id;
    });
    return whole == 1 && last_use(id, mentions);
  };
  for (size_t k = 0; k < ins.size(); ++k) {
    const ir::Type& t = ins[k];
    const ir::ExprPtr& a = unwrap_copy(c.args[k]);
    if (!t.is_array()) {
      Slot s = new_slot("arg", t);
      for (const Slot& part : leaves(s))
        if (part.array != none) temps_.push_back(part.array);
      assign_slot(s, a, none);
      for (const Slot& part : leaves(s)) pending.push_back({part, true, none});
      continue;
    }
    auto fits = [&](const Slot& s) {
      return s.type.elem == t.elem && s.type.complex == t.complex && s.type.rank == t.rank &&
             (t.layout == ir::Layout::Strided || s.type.layout == t.layout);
    };
    auto* name = ir::as<ir::Name>(a);
    auto* index = ir::as<ir::Index>(a);
    if (name && fits(slot(name->id)) && array(slot(name->id).array).owner != none) {
      pending.push_back({slot(name->id), false, name->id});
    } else if (index && t.layout == ir::Layout::Strided && !all_scalar(*index)) {
      Slot s = new_slot("view", ir::Type::array(t.elem, t.rank, ir::Layout::Strided, t.complex));
      temps_.push_back(s.array);
      assign_array(s, a, VR_IN_ENGINE);
      pending.push_back({s, true, none});
    } else if (name && fits(slot(name->id))) {
      // A shared array inside a parallel loop: the call borrows it, and nobody counts.
      pending.push_back({slot(name->id), false, none});
    } else if (name && effects_behind(*this, c.args, k)) {
      // A copy is made of a variable as it is when the function is called.
      copied.emplace_back(pending.size(), t);
      pending.push_back({slot(name->id), true, none});
    } else {
      Slot s = slot_of_array(a, VR_IN_ENGINE);
      if (name || !fits(s)) {
        ir::Layout layout = t.layout == ir::Layout::Strided ? ir::Layout::RowMajor : t.layout;
        s = materialise(convert(leaf(s, {}), t.elem, t.complex), layout, VR_IN_ENGINE);
      }
      pending.push_back({s, true, none});
    }
  }
  for (auto& [k, t] : copied) {
    const ir::Layout layout = t.layout == ir::Layout::Strided ? ir::Layout::RowMajor : t.layout;
    pending[k].slot = materialise(convert(leaf(pending[k].slot, {}), t.elem, t.complex), layout, VR_IN_ENGINE);
  }
  // ... then references change hands: what is handed over is no longer ours to release.
  for (const Pending& p : pending) {
    if (p.slot.array == none) {
      call_stmt.args.push_back({p.slot.var, p.slot.im, none});
      continue;
    }
    const bool moves = p.temporary || (p.id != none && given_away(p.id));
    if (!moves) {
      if (p.id != none) retain(p.slot.array);
      call_stmt.args.push_back({none, none, p.slot.array});
      continue;
    }
    const ir::Type& t = p.slot.type;
    ArrayId handed = new_array(array(p.slot.array).name + ".handed", t.elem, t.complex, t.rank, true);
    handed_.insert(handed);
    copy_fields(handed, p.slot.array);
    set(array(handed).owner, get(array(p.slot.array).owner));
    set(array(p.slot.array).owner, x_.null());
    call_stmt.args.push_back({none, none, handed});
  }
  std::vector<Slot> results;
  for (const ir::Type& t : type.outputs()) {
    if (t.is_void()) continue;
    results.push_back(new_slot("result", t));
    for (const Slot& part : leaves(results.back())) {
      if (part.array != none) temps_.push_back(part.array);
      call_stmt.results.push_back({part.var, part.im, part.array});
    }
  }
  emit(std::move(call_stmt));
  return results;
}

}  // namespace vr::lower
