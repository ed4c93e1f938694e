// Parallel loops (thesis 4.5.1): in order, as tasks of the CPU runtime (5.7.3), or as OpenCL kernels (5.8).
#include "lower/function_lowering.hpp"

#include "ir/sharing.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

namespace {

/// The statement of the body to which a question about its stores to the array belongs; null: no statement of its own.
const ir::Stmt* first_store(const ir::Body& body, ir::SymbolId array) {
  const ir::Stmt* found = nullptr;
  ir::walk_stmts(body, [&](const ir::Stmt& s) {
    auto* a = ir::as<ir::Assign>(&s);
    auto* e = ir::as<ir::ExprStmt>(&s);
    if (found || (!a && !e)) return;
    bool stores = false;
    auto look = [&](const ir::ExprPtr& part, bool target) {
      ir::walk_exprs(part, [&](const ir::Expr& x) {
        auto* i = ir::as<ir::Index>(&x);
        auto* n = ir::as<ir::Xchange>(&x);
        stores = stores || (target && i && i->array == array) || (n && n->array == array);
      });
    };
    if (a)
      for (const ir::ExprPtr& t : a->targets) look(t, true);
    look(a ? a->value : e->expr, false);
    if (stores) found = &s;
  });
  return found;
}

}  // namespace

// With a list of shared variables everything else is private. Without one: what the body assigns as a whole is private.
std::set<ir::SymbolId> FunctionLowering::private_variables(const ir::PFor& s, const LoopInfo& facts) const {
  std::set<ir::SymbolId> priv(s.itervars.begin(), s.itervars.end());
  for (ir::SymbolId id : facts.assigned) priv.insert(id);
  if (s.shared)
    for (ir::SymbolId id : facts.used)
      if (std::find(s.shared->begin(), s.shared->end(), id) == s.shared->end() && facts.assigned.count(id))
        priv.insert(id);
  return priv;
}

// Private variables that an iteration may read first: each iteration starts with the value from before the loop.
std::vector<ir::SymbolId> FunctionLowering::carried_in(const ir::PFor& s, const std::set<ir::SymbolId>& priv) {
  std::vector<ir::SymbolId> ids;
  for (ir::SymbolId id : ir::read_before_assigned(s.body, source_))
    if (priv.count(id) && std::find(s.itervars.begin(), s.itervars.end(), id) == s.itervars.end()) ids.push_back(id);
  return ids;
}

// The loop's facts. Under value semantics a private array that the body only stores to is one of the iteration's own,
// as if it was assigned.
LoopInfo FunctionLowering::pfor_info(const ir::PFor& s) const {
  LoopInfo facts = loop_info(s.body);
  if (s.shared && conv_.assign == ir::AssignMode::Copy)
    for (ir::SymbolId id : facts.stored)
      if (std::find(s.shared->begin(), s.shared->end(), id) == s.shared->end()) facts.assigned.insert(id);
  return facts;
}

void FunctionLowering::carry_in(const Slot& to, const Slot& from) {
  if (to.var != none) set(to.var, get(from.var));
  if (to.im != none) set(to.im, get(from.im));
  if (to.array != none) {
    const size_t temps = temps_.size();
    Slot array = to;
    assign_copy(array, from, VR_IN_ENGINE);
    release_temps(temps);
  }
  for (size_t k = 0; k < to.parts.size(); ++k) carry_in(to.parts[k], from.parts[k]);
}

void FunctionLowering::pfor(const ir::PFor& s) {
  if (in_section_ && m_.options.kernels) {
    try {
      if (pfor_kernel(s)) return;
    } catch (const Unsupported& u) {
      m_.out->report.push_back(m_.place(u.pos.line ? u.pos : s.pos, s.loc) + ": parallel loop of '" + source_.name +
                               "' runs on the CPU: " + u.what + " is not supported inside an OpenCL kernel");
    }
  }
  if (m_.options.parallel && fn_.kind == Function::Kind::Entry)
    pfor_task(s);
  else
    pfor_serial(s);
}

void FunctionLowering::pfor_serial(const ir::PFor& s) {
  const size_t temps = temps_.size();
  std::vector<LoopDim> dims = loop_dims(s.itervars, s.domain);
  release_temps(temps);
  LoopInfo facts = pfor_info(s);
  auto ints = ints_;
  for (ir::SymbolId id : facts.assigned) ints_.erase(id);
  for (ir::SymbolId id : s.itervars) ints_.erase(id);
  unique_before_loop(facts);
  const auto unique = unique_;
  const VarId flag = break_flag_;
  break_flag_ = none;
  // Private variables are the loop's own: afterwards those of the function are as they were.
  const std::set<ir::SymbolId> priv = private_variables(s, facts);
  std::map<ir::SymbolId, Slot> outside;
  for (ir::SymbolId id : priv) {
    outside[id] = slot(id);
    slots_[id] = new_slot(name_of(id), source_.symbols.at(id).type);
  }
  const std::vector<ir::SymbolId> carried = carried_in(s, priv);
  const AliasState alias = alias_;
  alias_before_loop(facts, s.body);
  nest(
      dims, 0, facts, fn_.kind != Function::Kind::Kernel,
      [&] {
        for (ir::SymbolId id : carried) carry_in(slot(id), outside[id]);
        body(s.body);
        unique_ = unique;
      },
      &s.body);
  alias_ = alias;
  for (const auto& [id, s_outside] : outside) slots_[id] = s_outside;
  break_flag_ = flag;
  ints_ = std::move(ints);
  for (ir::SymbolId id : facts.assigned) ints_.erase(id);
}

// What a task or kernel sees of the surrounding function: copies of its variables.
struct FunctionLowering::Captures {
  FunctionLowering& outer;
  FunctionLowering& inner;
  bool arrays_as_params;  // kernels: an array is one parameter; tasks: its fields are
  const LoopInfo& facts;
  std::map<VarId, VarId> known;                        // outer -> inner
  std::vector<VarId> variables;                        // tasks: in the order of the params
  std::vector<Operand> operands;                       // kernels: in the order of the params
  std::vector<std::pair<ir::SymbolId, Slot>> carried;  // private variables and their values from before the loop

  VarId variable(VarId v) {
    auto it = known.find(v);
    if (it != known.end()) return it->second;
    VarId in = inner.new_var(outer.fn_.vars[v].name, outer.fn_.vars[v].type);
    known[v] = in;
    inner.fn_.params.push_back({in, none, none, false});
    variables.push_back(v);
    operands.push_back({v, none, none});
    return in;
  }
  /// Whether anybody asks if the array may be stored to: a store, a callee, who gets it by another name.
  bool wants_flags(ir::SymbolId id) const {
    if (!facts.calls.empty()) return true;
    if (outer.conv_.assign == ir::AssignMode::Copy || outer.unique_.count(id)) return false;
    return facts.stored.count(id) || std::any_of(facts.assigned.begin(), facts.assigned.end(), [&](ir::SymbolId to) {
             return !outer.source_.symbols.at(to).type.is_scalar();
           });
  }
  void know(VarId in, VarId of) {
    if (auto it = outer.known_.find(of); it != outer.known_.end()) inner.known_[in] = it->second;
  }
  ExprP expr(ExprP e) {
    if (!e || is_const(e)) return e;
    return inner.get(variable(e->kind == Expr::Kind::Var ? e->var : outer.temp(e)->var));
  }
  Slot slot(const Slot& s, ir::SymbolId id) {
    Slot r;
    r.type = s.type;
    if (s.var != none) r.var = variable(s.var);
    if (s.im != none) r.im = variable(s.im);
    if (s.array != none) {
      const ArrayVars from = outer.array(s.array);
      r.array = inner.new_array(from.name, from.elem, from.complex, s.type.rank, false);
      ArrayVars& to = inner.array(r.array);
      if (arrays_as_params) {
        Param p;
        p.array = r.array;
        p.written = facts.stored.count(id) != 0;
        inner.fn_.params.push_back(p);
        operands.push_back({none, none, s.array});
      } else {
        to.data = variable(from.data);
        if (from.flags != none && wants_flags(id)) to.flags = variable(from.flags);
        for (size_t k = 0; k < from.extent.size(); ++k) {
          to.extent[k] = variable(from.extent[k]);
          to.stride[k] = variable(from.stride[k]);
        }
      }
      // What is known of the array, also where the fields come with a parameter.
      for (size_t k = 0; k < from.extent.size(); ++k) {
        know(to.extent[k], from.extent[k]);
        know(to.stride[k], from.stride[k]);
      }
    }
    for (const Slot& p : s.parts) r.parts.push_back(slot(p, id));
    return r;
  }
};

void FunctionLowering::capture(Captures& c, const ir::PFor& s, const LoopInfo& facts, std::vector<LoopDim>& dims) {
  std::set<ir::SymbolId> priv = private_variables(s, facts), used = facts.used;
  // A call names its function variable.
  for (const ir::Symbol& v : source_.symbols.all())
    if (v.type.is_function() && facts.calls.count(v.name)) used.insert(v.id);
  for (ir::SymbolId id : used) {
    if (priv.count(id)) continue;
    c.inner.slots_[id] = c.slot(slot(id), id);
    auto it = ints_.find(id);
    if (it != ints_.end() && is_simple(it->second)) c.inner.ints_[id] = c.expr(it->second);
    if (conv_.assign == ir::AssignMode::Copy || unique_.count(id)) c.inner.unique_.insert(id);  // made so before the loop
  }
  for (ir::SymbolId id : carried_in(s, priv)) c.carried.emplace_back(id, c.slot(slot(id), id));
  for (LoopDim& d : dims) {
    d.count = c.expr(d.count);
    d.start = c.expr(d.start);
    d.step = c.expr(d.step);
    d.int_start = c.expr(d.int_start);
    d.int_step = c.expr(d.int_step);
  }
  for (ir::SymbolId id : used)
    if (auto it = alias_groups_.find(id); it != alias_groups_.end() && !priv.count(id))
      c.inner.alias_groups_.insert(*it);
  c.inner.last_uses_ = last_uses_;
  c.inner.loc_ = loc_;
  c.inner.fn_.place = c.inner.place_ = place_;
  c.inner.inlined_ = inlined_;
  c.inner.pos_ = pos_;
  c.inner.returned_ = {};
}

void FunctionLowering::start_carried(const Captures& c) {
  for (const auto& [id, from] : c.carried) carry_in(slot(id), from);
}

void FunctionLowering::pfor_task(const ir::PFor& s) {
  const size_t temps = temps_.size();
  std::vector<LoopDim> dims = loop_dims(s.itervars, s.domain);
  release_temps(temps);
  LoopInfo facts = pfor_info(s);
  for (ir::SymbolId id : facts.stored) {
    if (facts.assigned.count(id)) continue;
    if (conv_.assign != ir::AssignMode::Copy) break;  // each iteration asks at its store
    before_store(id);
    unique_.insert(id);
  }
  ExprP count = dims[0].count;
  int32_t task = m_.add_function(Function::Kind::Task, fn_.name + "_task", source_.name);
  Function& target = *m_.out->functions[static_cast<size_t>(task)];
  FunctionLowering inner(m_, source_, target);
  inner.has_section_ = inner.module_has_section_ = has_section_ && goes_to_device(s.body, true);
  Captures captures{*this, inner, false, facts, {}, {}, {}, {}};
  capture(captures, s, facts, dims);
  target.lo_var = inner.new_var("lo", Scalar::Int64);
  target.hi_var = inner.new_var("hi", Scalar::Int64);
  inner.alias_before_loop(facts, s.body);
  // The outermost dimension runs over this task's part of the domain.
  const LoopDim& outermost = dims[0];
  auto body_of = [&] {
    const auto unique = inner.unique_;
    inner.start_carried(captures);
    inner.body(s.body);
    inner.unique_ = unique;
  };
  if (dims.size() == 1) {
    // Shift the loop so that it counts from 0: the versioned form looks at its ends.
    LoopDim part = outermost;
    ExprP lo = inner.get(target.lo_var);
    part.count = inner.keep(x_.sub(inner.get(target.hi_var), lo), "count");
    if (part.integral) part.int_start = inner.keep(x_.add(part.int_start, x_.mul(lo, part.int_step)), "start");
    if (part.start->type == Scalar::Int64) {
      part.start = part.int_start;
      inner.nest({part}, 0, facts, true, body_of, &s.body);
    } else if (part.integral) {
      inner.nest({part}, 0, facts, true, body_of, &s.body);
    } else {
      VarId k = inner.new_var("k", Scalar::Int64);
      Block b = inner.collect([&] {
        inner.loop_variable(outermost, inner.get(k), facts.assigned.count(outermost.id) != 0);
        body_of();
      });
      inner.emit(CountedLoop{k, lo, inner.get(target.hi_var), std::move(b), false});
    }
  } else {
    VarId k = inner.new_var(name_of(outermost.id) + ".k", Scalar::Int64);
    Block b = inner.collect([&] {
      inner.loop_variable(outermost, inner.get(k), facts.assigned.count(outermost.id) != 0);
      inner.nest(dims, 1, facts, true, body_of, &s.body);
    });
    inner.emit(CountedLoop{k, inner.get(target.lo_var), inner.get(target.hi_var), std::move(b), false});
  }
  inner.finish_cleanup();
  emit(ParallelFor{task, x_.int_const(0), count, captures.variables});
}

bool FunctionLowering::pfor_kernel(const ir::PFor& s) {
  LoopInfo facts = pfor_info(s);
  // Try the body first, on a scratch block: a kernel that cannot be must leave nothing behind in this function.
  const size_t functions = m_.out->functions.size();
  Block launch;
  Block* saved_block = block_;
  auto unique = unique_;
  block_ = &launch;
  try {
    const size_t temps = temps_.size();
    std::vector<LoopDim> dims = loop_dims(s.itervars, s.domain);
    release_temps(temps);
    std::vector<ExprP> counts;
    ExprP any = x_.bool_const(true);
    for (const LoopDim& d : dims) {
      counts.push_back(d.count);
      any = x_.both(any, x_.gt(d.count, x_.int_const(0)));
    }
    for (ir::SymbolId id : facts.stored) {
      if (facts.assigned.count(id)) continue;
      const std::string loc = loc_;
      const ir::InlinedFrom* inlined = inlined_;
      if (const ir::Stmt* store = first_store(s.body, id)) {
        loc_ = m_.place(store->pos, store->loc);
        inlined_ = store->inlined.get();
      }
      before_store(id, true, any);
      loc_ = loc;
      inlined_ = inlined;
      unique_.insert(id);
    }
    int32_t kernel = m_.add_function(Function::Kind::Kernel, source_.name + "_kernel", source_.name);
    Function& target = *m_.out->functions[static_cast<size_t>(kernel)];
    FunctionLowering inner(m_, source_, target);
    Captures captures{*this, inner, true, facts, {}, {}, {}, {}};
    capture(captures, s, facts, dims);
    if (!m_.options.fp64)
      for (const Var& v : target.vars)
        if (v.type == Scalar::Float64) unsupported("float64, which the device does not have,", s.pos);
    // Consecutive work-items go along the dimension that is fastest in memory: the last, but for column-major arrays.
    bool column_major = false;
    for (ir::SymbolId id : facts.stored) column_major = column_major || slot(id).type.layout == ir::Layout::ColMajor;
    std::vector<size_t> order(dims.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = column_major ? k : order.size() - 1 - k;
    std::vector<ExprP> launch_counts;
    std::vector<VarId> loop(dims.size(), none);
    // OpenCL has three dimensions: what is left of more of them is counted through in the third.
    const size_t own = dims.size() > 3 ? 2 : dims.size();
    for (size_t q = 0; q < dims.size(); ++q) {
      const size_t k = order[q];
      loop[k] = inner.new_var(name_of(dims[k].id) + ".k", Scalar::Int64);
      if (q >= own) continue;
      target.dims.push_back(loop[k]);
      launch_counts.push_back(counts[k]);
    }
    if (own < dims.size()) {
      const VarId rest = inner.new_var("rest.k", Scalar::Int64);
      target.dims.push_back(rest);
      ExprP all = x_.int_const(1), below = inner.get(rest);
      for (size_t q = own; q < dims.size(); ++q) {
        const LoopDim& d = dims[order[q]];
        all = x_.mul(all, counts[order[q]]);
        // A domain without points is not launched; `max` says so to whoever divides.
        ExprP n = q + 1 == dims.size() ? nullptr : inner.keep(x_.max(d.count, x_.int_const(1)), "n");
        inner.set(loop[order[q]], n ? x_.binary(Op::Rem, below, n) : below);
        if (n) below = inner.keep(x_.binary(Op::Div, below, n), "below");
      }
      launch_counts.push_back(all);
    }
    for (size_t k = 0; k < dims.size(); ++k)
      inner.loop_variable(dims[k], inner.get(loop[k]), facts.assigned.count(dims[k].id) != 0);
    inner.start_carried(captures);
    inner.body(s.body);
    this->launch(kernel, launch_counts, captures.operands);
  } catch (const Unsupported&) {
    m_.out->functions.resize(functions);
    block_ = saved_block;
    unique_ = std::move(unique);
    throw;
  }
  block_ = saved_block;
  unique_ = std::move(unique);
  append(std::move(launch));
  return true;
}

}  // namespace vr::lower
