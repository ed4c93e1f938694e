// Parallel loops (thesis 4.5.1): in order, as tasks of the CPU runtime (5.7.3), or as OpenCL kernels (5.8).
#include "lower/pfor.hpp"

#include "lower/captures.hpp"
#include "lower/domain.hpp"
#include "lower/function.hpp"
#include "lower/loop.hpp"
#include "lower/ownership.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/section_report.hpp"
#include "lower/statement.hpp"
#include "lower/variables.hpp"
#include "lower/writable.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

namespace {

/// The first statement of the body that stores to the array, whose source location the check gets; null: there is none.
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

static void pfor_serial(Lowering& f, const ir::PFor& s);
static void pfor_task(Lowering& f, const ir::PFor& s);
static bool pfor_kernel(Lowering& f, const ir::PFor& s);

// The loop's facts. Under value semantics a private array that the body only stores to is private to an iteration, as
// if the body assigned it.
static LoopInfo pfor_info(const Emitter& out, const ir::PFor& s) {
  LoopInfo facts = loop_info(s.body);
  if (s.shared && out.conv.assign == ir::AssignMode::Copy)
    for (ir::SymbolId id : facts.stored)
      if (std::find(s.shared->begin(), s.shared->end(), id) == s.shared->end()) facts.assigned.insert(id);
  return facts;
}

void pfor(Lowering& f, const ir::PFor& s) {
  if (f.section.inside && f.m.options.kernels) {
    try {
      if (pfor_kernel(f, s)) return;
    } catch (const Unsupported& u) {
      if (s.itervars.empty()) return body(f, s.body);
      tell_pfor(
          f, pfor_info(f.out, s).used,
          u.what + (u.pos.line ? " (" + f.m.place(u.pos, "") + ")" : "") + " is not supported inside an OpenCL kernel");
    }
  }
  if (f.m.options.parallel && f.out.fn.kind == Function::Kind::Entry)
    pfor_task(f, s);
  else
    pfor_serial(f, s);
}

static void pfor_serial(Lowering& f, const ir::PFor& s) {
  const size_t temps = f.own.temps.size();
  std::vector<LoopDim> dims = loop_dims(f, s.itervars, s.domain);
  release_temps(f, temps);
  LoopInfo facts = pfor_info(f.out, s);
  const LoopScope scope(f, facts, s.itervars);
  // Private variables belong to the loop: after the loop, the function's variables have their old values.
  const std::set<ir::SymbolId> priv = private_variables(s, facts);
  const OwnSlots slots(f, {priv.begin(), priv.end()});
  for (ir::SymbolId id : priv) {
    f.vars.slots[id] = new_slot(f.out, name_of(f, id), f.source.symbols.at(id).type);
  }
  const std::vector<ir::SymbolId> carried = carried_in(f, s, priv);
  nest(
      f, dims, 0, facts, true,
      [&] {
        for (ir::SymbolId id : carried) carry_in(f, slot(f, id), slots.outside(id));
        body(f, s.body);
        scope.next_iteration();
      },
      &s.body);
}

static void pfor_task(Lowering& f, const ir::PFor& s) {
  const size_t temps = f.own.temps.size();
  std::vector<LoopDim> dims = loop_dims(f, s.itervars, s.domain);
  release_temps(f, temps);
  LoopInfo facts = pfor_info(f.out, s);
  for (ir::SymbolId id : facts.stored) {
    if (facts.assigned.count(id)) continue;
    if (f.conv.assign != ir::AssignMode::Copy) break;  // each iteration checks the array before its store
    before_store(f, id);
    f.facts.unique.insert(id);
  }
  ExprP count = dims[0].count;
  int32_t task = f.m.add_function(Function::Kind::Task, f.out.fn.name + "_task", f.source.name);
  Function& target = *f.m.out->functions[static_cast<size_t>(task)];
  Lowering inner(f.m, f.source, target);
  inner.section.in_function = inner.section.in_module = f.section.in_function && goes_to_device(f, s.body, true);
  Captures captures(f, inner, false, facts);
  captures.take(s, dims);
  target.lo_var = inner.out.new_var("lo", Scalar::Int64);
  target.hi_var = inner.out.new_var("hi", Scalar::Int64);
  // The outermost dimension runs over this task's part of the domain.
  const LoopDim& outermost = dims[0];
  auto body_of = [&] {
    const Restore unique(inner.facts.unique);
    captures.start_carried();
    body(inner, s.body);
  };
  if (dims.size() == 1) {
    // Shift the loop so that it counts from 0: the guards of its versions use its first and last values.
    LoopDim part = outermost;
    ExprP lo = inner.out.get(target.lo_var);
    part.count = inner.out.keep(f.x.sub(inner.out.get(target.hi_var), lo), "count");
    if (part.integral) part.int_start = inner.out.keep(f.x.add(part.int_start, f.x.mul(lo, part.int_step)), "start");
    if (part.start->type == Scalar::Int64) {
      part.start = part.int_start;
      nest(inner, {part}, 0, facts, true, body_of, &s.body);
    } else if (part.integral) {
      nest(inner, {part}, 0, facts, true, body_of, &s.body);
    } else {
      VarId k = inner.out.new_var("k", Scalar::Int64);
      Block b = inner.out.collect([&] {
        loop_variable(inner, outermost, inner.out.get(k), facts.assigned.count(outermost.id) != 0);
        body_of();
      });
      inner.out.emit(CountedLoop{k, lo, inner.out.get(target.hi_var), std::move(b), false});
    }
  } else {
    VarId k = inner.out.new_var(name_of(f, outermost.id) + ".k", Scalar::Int64);
    Block b = inner.out.collect([&] {
      loop_variable(inner, outermost, inner.out.get(k), facts.assigned.count(outermost.id) != 0);
      nest(inner, dims, 1, facts, true, body_of, &s.body);
    });
    inner.out.emit(CountedLoop{k, inner.out.get(target.lo_var), inner.out.get(target.hi_var), std::move(b), false});
  }
  finish_cleanup(inner);
  f.out.emit(ParallelFor{task, f.x.int_const(0), count, captures.variables()});
}

static bool pfor_kernel(Lowering& f, const ir::PFor& s) {
  LoopInfo facts = pfor_info(f.out, s);
  // Lowers the body into a scratch block first: if it cannot be a kernel, nothing may remain in this function.
  const size_t functions = f.m.out->functions.size();
  Block launch;
  try {
    const Restore block(f.out.block, &launch);
    const Restore unique(f.facts.unique);
    const size_t temps = f.own.temps.size();
    std::vector<LoopDim> dims;
    if (!s.itervars.empty()) dims = loop_dims(f, s.itervars, s.domain);
    release_temps(f, temps);
    std::vector<ExprP> counts;
    ExprP any = f.x.bool_const(true);
    for (const LoopDim& d : dims) {
      counts.push_back(d.count);
      any = f.x.both(any, f.x.gt(d.count, f.x.int_const(0)));
    }
    for (ir::SymbolId id : facts.stored) {
      if (facts.assigned.count(id)) continue;
      const Restore at(f.out.at);
      if (const ir::Stmt* store = first_store(s.body, id)) {
        f.out.at.loc = f.m.place(store->pos, store->loc);
        f.out.at.inlined = store->inlined.get();
      }
      before_store(f, id, true, any);
      f.facts.unique.insert(id);
    }
    int32_t kernel = f.m.add_function(Function::Kind::Kernel, f.source.name + "_kernel", f.source.name);
    Function& target = *f.m.out->functions[static_cast<size_t>(kernel)];
    Lowering inner(f.m, f.source, target);
    Captures captures(f, inner, true, facts);
    captures.take(s, dims);
    if (!f.m.options.fp64)
      for (const Var& v : target.vars)
        if (v.type == Scalar::Float64) f.out.unsupported("float64, which the device does not have,", s.pos);
    // Consecutive work-items go along the fastest dimension in memory: the last, or the first of column-major arrays.
    bool column_major = false;
    for (ir::SymbolId id : facts.stored) column_major = column_major || slot(f, id).type.layout == ir::Layout::ColMajor;
    std::vector<size_t> order(dims.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = column_major ? k : order.size() - 1 - k;
    std::vector<ExprP> launch_counts;
    std::vector<VarId> loop(dims.size(), none);
    // OpenCL has three dimensions: further ones are enumerated by the third.
    const size_t own = dims.size() > 3 ? 2 : dims.size();
    for (size_t q = 0; q < dims.size(); ++q) {
      const size_t k = order[q];
      loop[k] = inner.out.new_var(name_of(f, dims[k].id) + ".k", Scalar::Int64);
      if (q >= own) continue;
      target.dims.push_back(loop[k]);
      launch_counts.push_back(counts[k]);
    }
    if (own < dims.size()) {
      const VarId rest = inner.out.new_var("rest.k", Scalar::Int64);
      target.dims.push_back(rest);
      ExprP all = f.x.int_const(1), below = inner.out.get(rest);
      for (size_t q = own; q < dims.size(); ++q) {
        const LoopDim& d = dims[order[q]];
        all = f.x.mul(all, counts[order[q]]);
        // An empty domain is not launched; `max` lets the optimiser see that the divisor is not zero.
        ExprP n = q + 1 == dims.size() ? nullptr : inner.out.keep(f.x.max(d.count, f.x.int_const(1)), "n");
        inner.out.set(loop[order[q]], n ? f.x.binary(Op::Rem, below, n) : below);
        if (n) below = inner.out.keep(f.x.binary(Op::Div, below, n), "below");
      }
      launch_counts.push_back(all);
    }
    if (dims.empty()) {
      target.dims.push_back(inner.out.new_var("once", Scalar::Int64));
      launch_counts.push_back(f.x.int_const(1));
    }
    for (size_t k = 0; k < dims.size(); ++k)
      loop_variable(inner, dims[k], inner.out.get(loop[k]), facts.assigned.count(dims[k].id) != 0);
    captures.start_carried();
    body(inner, s.body);
    lower::launch(f.out, kernel, launch_counts, captures.operands());
  } catch (const Unsupported&) {
    f.m.out->functions.resize(functions);
    throw;
  }
  f.out.append(std::move(launch));
  return true;
}

}  // namespace vr::lower
