// Calls of module functions and of handles. The callee consumes one reference of each array argument.
#include "lower/call.hpp"

#include "lower/array.hpp"
#include "lower/assign.hpp"
#include "lower/assign_array.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/ownership.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

namespace vr::lower {

std::vector<Slot> call_results(Lowering& f, const ir::ExprPtr& e) {
  const auto& c = static_cast<const ir::FnCall&>(*e);
  CallFunction call_stmt{f.m.index_of(c.callee), none, {}, {}};
  ir::Type type;
  // A variable of function type takes precedence over a function of the module (thesis 4.1.2).
  for (const ir::Symbol& s : f.source.symbols.all())
    if (s.name == c.callee && s.type.is_function()) {
      call_stmt.callee = none;
      call_stmt.handle = slot(f, s.id).var;
      type = s.type;
    }
  if (call_stmt.handle == none) {
    const ir::Function* callee = f.m.ir.find(c.callee);
    if (!callee)
      f.out.unsupported("a call of '" + c.callee + "', which is no function of the module or the library", c.pos);
    type = callee->type;
  }
  if (f.out.fn.kind == Function::Kind::Kernel)
    f.out.unsupported("a call of '" + c.callee + "' inside an OpenCL kernel", c.pos);
  if (call_stmt.handle != none)
    f.out.fail_if(f.x.eq(f.out.get(call_stmt.handle), f.x.null()), Code::Type,
                  "'" + c.callee + "' is called, but no function was assigned to it");
  const auto& ins = type.components();
  if (ins.size() != c.args.size())
    f.out.unsupported("a call of '" + c.callee + "' with the wrong number of arguments", c.pos);

  // First everything that can fail ...
  struct Pending {
    Slot slot;
    bool temporary = false;
    ir::SymbolId id = none;
  };
  std::vector<Pending> pending;
  std::vector<std::pair<size_t, ir::Type>> copied;
  // A variable that is dead after the call hands its reference over: in x = g(x) the callee can then work in place.
  auto given_away = [&](ir::SymbolId id) {
    int mentions = 0, whole = 0;
    ir::walk_exprs(e, [&](const ir::Expr& n) {
      mentions += ir::named_variable(n) == id;
      whole += n.kind == ir::Kind::Name && ir::named_variable(n) == id;
    });
    return whole == 1 && last_use(f, id, mentions);
  };
  for (size_t k = 0; k < ins.size(); ++k) {
    const ir::Type& t = ins[k];
    const ir::ExprPtr& a = unwrap_copy(f.out, c.args[k]);
    if (!t.is_array()) {
      Slot s = new_slot(f.out, "arg", t);
      for (const Slot& part : leaves(s))
        if (part.array != none) f.own.temps.push_back(part.array);
      assign_slot(f, s, a, none);
      for (const Slot& part : leaves(s)) pending.push_back({part, true, none});
      continue;
    }
    auto fits = [&](const Slot& s) {
      return s.type.elem == t.elem && s.type.complex == t.complex && s.type.rank == t.rank &&
             (t.layout == ir::Layout::Strided || s.type.layout == t.layout);
    };
    auto* name = ir::as<ir::Name>(a);
    auto* index = ir::as<ir::Index>(a);
    if (name && fits(slot(f, name->id)) && f.out.array(slot(f, name->id).array).owner != none) {
      pending.push_back({slot(f, name->id), false, name->id});
    } else if (index && t.layout == ir::Layout::Strided && !all_scalar(f, *index)) {
      Slot s = new_slot(f.out, "view", ir::Type::array(t.elem, t.rank, ir::Layout::Strided, t.complex));
      f.own.temps.push_back(s.array);
      assign_array(f, s, a, VR_IN_ENGINE);
      pending.push_back({s, true, none});
    } else if (name && fits(slot(f, name->id))) {
      // A shared array inside a parallel loop: the callee borrows it, and no reference is counted.
      pending.push_back({slot(f, name->id), false, none});
    } else if (name && effects_behind(f, c.args, k)) {
      // The copy is made after later arguments were evaluated: it has the variable's value at the time of the call.
      copied.emplace_back(pending.size(), t);
      pending.push_back({slot(f, name->id), true, none});
    } else {
      Slot s = slot_of_array(f, a, VR_IN_ENGINE);
      if (name || !fits(s)) {
        ir::Layout layout = t.layout == ir::Layout::Strided ? ir::Layout::RowMajor : t.layout;
        s = materialise(f, convert(f.out, leaf(f.out, s, {}), t.elem, t.complex), layout, VR_IN_ENGINE);
      }
      pending.push_back({s, true, none});
    }
  }
  for (auto& [k, t] : copied) {
    const ir::Layout layout = t.layout == ir::Layout::Strided ? ir::Layout::RowMajor : t.layout;
    pending[k].slot =
        materialise(f, convert(f.out, leaf(f.out, pending[k].slot, {}), t.elem, t.complex), layout, VR_IN_ENGINE);
  }
  // ... then references are moved: those that the callee takes over are not released here.
  for (const Pending& p : pending) {
    if (p.slot.array == none) {
      call_stmt.args.push_back({p.slot.var, p.slot.im, none});
      continue;
    }
    const bool moves = p.temporary || (p.id != none && given_away(p.id));
    if (!moves) {
      if (p.id != none) retain(f.out, p.slot.array);
      call_stmt.args.push_back({none, none, p.slot.array});
      continue;
    }
    const ir::Type& t = p.slot.type;
    ArrayId handed = f.out.new_array(f.out.array(p.slot.array).name + ".handed", t.elem, t.complex, t.rank, true);
    f.own.handed.insert(handed);
    copy_fields(f.out, handed, p.slot.array);
    f.out.set(f.out.array(handed).owner, f.out.get(f.out.array(p.slot.array).owner));
    f.out.set(f.out.array(p.slot.array).owner, f.x.null());
    call_stmt.args.push_back({none, none, handed});
  }
  std::vector<Slot> results;
  for (const ir::Type& t : type.outputs()) {
    if (t.is_void()) continue;
    results.push_back(new_slot(f.out, "result", t));
    for (const Slot& part : leaves(results.back())) {
      if (part.array != none) f.own.temps.push_back(part.array);
      call_stmt.results.push_back({part.var, part.im, part.array});
    }
  }
  f.out.emit(std::move(call_stmt));
  return results;
}

}  // namespace vr::lower
