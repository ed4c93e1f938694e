// Counted loops over domains (thesis 4.1.3, 4.2.3): loop variables, nests, the choice of a checked or unchecked body.
#include "lower/loop.hpp"

#include "lower/domain.hpp"
#include "lower/ownership.hpp"
#include "lower/statement.hpp"
#include "lower/variables.hpp"
#include "lower/writable.hpp"

#include <algorithm>

namespace vr::lower {

void loop_variable(Lowering& f, const LoopDim& d, ExprP k, bool assigned_in_body) {
  const Slot s = slot(f, d.id);
  if (!s.type.is_scalar()) f.out.unsupported("a loop variable of type " + s.type.text());
  Scalar type = scalar_of(s.type.elem);
  f.facts.ints.erase(d.id);
  if (d.integral) {
    ExprP value = f.x.add(d.int_start, f.x.mul(k, d.int_step));
    if (type == Scalar::Int64) {
      f.out.set(s.var, value);
      return;
    }
    // A float32 above 2^24 may differ from the integer that it was converted from.
    VarId shadow = f.out.new_var(name_of(f, d.id) + ".int", Scalar::Int64);
    f.out.set(shadow, value);
    f.out.set(s.var, f.x.convert(f.out.get(shadow), type));
    if (!assigned_in_body && !(is_float(type) && type != Scalar::Float64) && type != Scalar::UInt64)
      f.facts.ints[d.id] = f.out.get(shadow);
    return;
  }
  ExprP value = f.x.add(d.start, f.x.mul(f.x.convert(k, d.start->type), d.step));
  f.out.set(s.var, f.x.convert(value, type));
}

void nest(Lowering& f, const std::vector<LoopDim>& dims, size_t depth, const LoopInfo& facts, bool independent,
          const std::function<void()>& inner, const ir::Body* versioned, const std::vector<VarId>& counters) {
  const LoopDim& d = dims[depth];
  const bool innermost = depth + 1 == dims.size(), kernel = f.out.fn.kind == Function::Kind::Kernel;
  const bool assigned = facts.assigned.count(d.id) != 0;
  const bool may_version = versioned && !kernel && f.m.options.version_loops && !f.loops.plain;
  auto loop = [&] {
    VarId k = f.out.new_var(name_of(f, d.id) + ".k", Scalar::Int64);
    Block body = f.out.collect([&] {
      loop_variable(f, d, f.out.get(k), assigned);
      if (innermost) {
        // Every iteration starts with the loop variables of its own domain point, even if the previous iteration
        // assigned them.
        for (size_t outer = 0; outer < depth; ++outer)
          if (facts.assigned.count(dims[outer].id)) loop_variable(f, dims[outer], f.out.get(counters[outer]), true);
        inner();
      } else {
        std::vector<VarId> all = counters;
        all.push_back(k);
        nest(f, dims, depth + 1, facts, independent, inner, versioned, all);
        if (f.loops.break_flag != none) f.out.emit(If{f.out.get(f.loops.break_flag), {Stmt{Break{}}}, {}});
      }
    });
    CountedLoop l{k, f.x.int_const(0), d.count, std::move(body),
                  independent && !kernel && innermost && !facts.has_loop && !facts.has_atomic, f.loops.plain};
    l.parallel = independent && kernel;
    l.version = may_version && !f.loops.plain && !facts.has_return;
    f.out.emit(std::move(l));
  };
  const Restore ints(f.facts.ints);
  loop();
}

static std::map<ir::SymbolId, ExprP>& without(std::map<ir::SymbolId, ExprP>& ints, const std::set<ir::SymbolId>& gone) {
  for (ir::SymbolId id : gone) ints.erase(id);
  return ints;
}

LoopScope::LoopScope(Lowering& f, const LoopInfo& facts, const std::vector<ir::SymbolId>& itervars)
    : f_(f),
      ints_(without(f.facts.ints, facts.assigned)),
      break_flag_(f.loops.break_flag, none) {
  for (ir::SymbolId id : itervars) f.facts.ints.erase(id);
  unique_before_loop(f, facts);
  unique_ = f.facts.unique;
}

LoopScope::~LoopScope() { f_.facts.unique = std::move(unique_); }

void for_(Lowering& f, const ir::For& s) {
  const size_t temps = f.own.temps.size();
  std::vector<LoopDim> dims;
  if (f.section.inside)
    on_device(f, [&] { dims = loop_dims(f, s.itervars, s.domain); });
  else
    dims = loop_dims(f, s.itervars, s.domain);
  // If an inner dimension is empty there is no iteration at all, and the outer variables keep their values.
  for (size_t k = dims.size(); k-- > 1;) {
    ExprP some = f.x.gt(dims[k].count, f.x.int_const(0));
    dims[k - 1].count = f.out.keep(f.x.select(some, dims[k - 1].count, f.x.int_const(0)), "count");
  }
  release_temps(f, temps);
  LoopInfo facts = loop_info(s.body);
  const LoopScope scope(f, facts, s.itervars);
  bool breaks = false;
  ir::walk_stmts(s.body, [&](const ir::Stmt& n) { breaks = breaks || n.kind == ir::Kind::Break; });
  if (dims.size() > 1 && breaks) {
    f.loops.break_flag = f.out.new_var("left", Scalar::Bool);
    f.out.set(f.loops.break_flag, f.x.bool_const(false));
  }
  auto inner = [&] {
    body(f, s.body);
    scope.next_iteration();
  };
  nest(f, dims, 0, facts, false, inner, &s.body);
}

}  // namespace vr::lower
