// Counted loops over domains (thesis 4.1.3, 4.2.3): trip counts, loop variables, nests, the choice of a checked or
// unchecked body.
#include "lower/function_lowering.hpp"

#include "ir/typing.hpp"

#include <limits>

namespace vr::lower {

using ir::Elem;

ExprP FunctionLowering::range_count(ExprP start, ExprP step, ExprP stop, bool exclude) {
  if (!is_float(start->type)) {
    ExprP zero = x_.int_const(0), one = x_.int_const(1);
    if (is_int(step, 1)) {
      ExprP n = x_.sub(stop, start);
      return keep(x_.max(exclude ? n : x_.add(n, one), zero), "count");
    }
    ExprP down = keep(x_.lt(step, zero), "down");
    ExprP span = x_.sub(stop, start);
    if (exclude) span = x_.select(down, x_.add(span, one), x_.sub(span, one));
    span = keep(span, "span");
    ExprP runs = x_.both(x_.ne(step, zero),
                         x_.either(x_.both(x_.not_(down), x_.ge(span, zero)), x_.both(down, x_.le(span, zero))));
    ExprP divisor = x_.select(x_.eq(step, zero), one, step);
    return keep(x_.select(runs, x_.add(x_.binary(Op::Div, span, divisor), one), zero), "count");
  }
  // As MATLAB counts: a quotient that rounding left a little below a whole number counts as that number.
  Scalar s = start->type;
  ExprP zero = x_.float_const(0, s);
  double eps = s == Scalar::Float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  ExprP q = keep(x_.binary(Op::Div, x_.sub(stop, start), step), "quotient");
  ExprP one = x_.float_const(1, s);
  ExprP n = keep(x_.add(x_.math(MathFn::Floor, x_.mul(q, x_.float_const(1 + eps, s))), one), "n");
  if (exclude) {
    // One less when the last value is the stop, up to rounding.
    ExprP last = keep(x_.add(start, x_.mul(x_.sub(n, one), step)), "last");
    ExprP a = x_.math(MathFn::Fabs, start), b = x_.math(MathFn::Fabs, stop);
    ExprP slack = keep(x_.mul(x_.float_const(eps, s), x_.select(x_.lt(a, b), b, a)), "slack");
    ExprP reached = x_.select(x_.gt(step, zero), x_.ge(last, x_.sub(stop, slack)), x_.le(last, x_.add(stop, slack)));
    n = x_.select(reached, x_.sub(n, one), n);
  }
  ExprP runs = x_.both(x_.ne(step, zero), x_.ge(q, zero));
  return keep(x_.select(runs, x_.convert(n, Scalar::Int64), x_.int_const(0)), "count");
}

FunctionLowering::LoopDim FunctionLowering::loop_dim(ir::SymbolId id, const ir::ExprPtr& range, const ir::Type& type) {
  auto* r = ir::as<ir::Range>(range);
  if (!r) unsupported("this domain of a loop", range->pos);
  if (!r->stop) unsupported("a loop over a range without an end", range->pos);
  LoopDim d;
  d.id = id;
  // The widest of what start, step and stop are; the stated type of the domain where they are all left out.
  Elem elem = Elem::Bool;
  for (const ir::ExprPtr& e : {r->start, r->step, r->stop})
    if (e) elem = ir::common_elem(elem, e->type.elem);
  if (!r->start && !r->step && !r->stop) elem = type.is_scalar() ? type.elem : Elem::Int64;
  const bool exclude = r->exclude.value_or(conv_.exclude);
  ExprP base = x_.int_const(conv_.indexing), one = x_.int_const(1);
  if (!ir::is_float(elem)) {
    d.start = r->start ? keep(int_value(r->start, "the start of a range"), "start") : base;
    d.step = r->step ? keep(int_value(r->step, "the step of a range"), "step") : one;
    ExprP stop = keep(int_value(r->stop, "the stop of a range"), "stop");
    d.count = range_count(d.start, d.step, stop, exclude);
    d.integral = true;
    d.int_start = d.start;
    d.int_step = d.step;
    return d;
  }
  Scalar s = scalar_of(elem);
  auto part = [&](const ir::ExprPtr& e, ExprP otherwise, const char* name) {
    return e ? keep(convert(scalar(e), elem, false).re, name) : x_.convert(otherwise, s);
  };
  d.int_start = r->start ? int_form(*r->start) : base;
  d.int_step = r->step ? int_form(*r->step) : one;
  d.integral = elem == Elem::Float64 && d.int_start && d.int_step;
  if (d.integral) {
    d.int_start = keep(d.int_start, "start");
    d.int_step = keep(d.int_step, "step");
  }
  d.start = part(r->start, base, "start");
  d.step = part(r->step, one, "step");
  ExprP stop = part(r->stop, base, "stop");
  d.count = range_count(d.start, d.step, stop, exclude);
  return d;
}

std::vector<FunctionLowering::LoopDim> FunctionLowering::loop_dims(const std::vector<ir::SymbolId>& ids,
                                                                   const ir::ExprPtr& domain) {
  std::vector<LoopDim> dims;
  if (auto* d = ir::as<ir::Domain>(domain)) {
    if (d->ranges.size() != ids.size())
      unsupported("a domain with another number of dimensions than loop variables", d->pos);
    const auto& types = d->type.components();
    for (size_t k = 0; k < ids.size(); ++k)
      dims.push_back(loop_dim(ids[k], d->ranges[k],
                              k < types.size() ? types[k]
                              : types.empty()  ? ir::Type::scalar(Elem::Int64)
                                               : types.back()));
  } else if (auto* n = ir::as<ir::Name>(domain)) {
    const Slot s = slot(n->id);
    if (!s.type.is_domain() || s.parts.size() != 3 * ids.size()) unsupported("this domain of a loop", n->pos);
    for (size_t k = 0; k < ids.size(); ++k) {
      LoopDim d;
      d.id = ids[k];
      d.integral = !ir::is_float(s.parts[3 * k].type.elem);
      // The variable may be assigned anew inside the loop; the domain was evaluated before it.
      auto value = [&](const Slot& p) { return temp(d.integral ? x_.convert(get(p.var), Scalar::Int64) : get(p.var)); };
      d.start = value(s.parts[3 * k]);
      d.step = value(s.parts[3 * k + 1]);
      d.count = temp(get(s.parts[3 * k + 2].var), "count");
      if (d.integral) d.int_start = d.start, d.int_step = d.step;
      dims.push_back(d);
    }
  } else {
    const auto& types = domain->type.components();
    dims.push_back(loop_dim(ids[0], domain, types.empty() ? slot(ids[0]).type : types[0]));
  }
  return dims;
}

void FunctionLowering::assign_domain(Slot& to, const ir::ExprPtr& value) {
  if (auto* n = ir::as<ir::Name>(value)) {
    const Slot from = slot(n->id);
    if (from.parts.size() != to.parts.size()) unsupported("this value for a domain", value->pos);
    for (size_t k = 0; k < to.parts.size(); ++k)
      set(to.parts[k].var, x_.convert(get(from.parts[k].var), scalar_of(to.parts[k].type.elem)));
    return;
  }
  std::vector<ir::ExprPtr> ranges = {value};
  if (auto* d = ir::as<ir::Domain>(value)) ranges = d->ranges;
  const auto& types = to.type.components();
  if (3 * ranges.size() != to.parts.size()) unsupported("this value for a domain", value->pos);
  std::vector<LoopDim> dims;
  for (size_t k = 0; k < ranges.size(); ++k) dims.push_back(loop_dim(none, ranges[k], types[k]));
  for (size_t k = 0; k < ranges.size(); ++k) {
    set(to.parts[3 * k].var, x_.convert(dims[k].start, scalar_of(types[k].elem)));
    set(to.parts[3 * k + 1].var, x_.convert(dims[k].step, scalar_of(types[k].elem)));
    set(to.parts[3 * k + 2].var, dims[k].count);
  }
}

void FunctionLowering::loop_variable(const LoopDim& d, ExprP k, bool assigned_in_body) {
  const Slot s = slot(d.id);
  if (!s.type.is_scalar()) unsupported("a loop variable of type " + s.type.text());
  Scalar type = scalar_of(s.type.elem);
  ints_.erase(d.id);
  if (d.integral) {
    ExprP value = x_.add(d.int_start, x_.mul(k, d.int_step));
    if (type == Scalar::Int64) {
      set(s.var, value);
      return;
    }
    VarId shadow = new_var(name_of(d.id) + ".int", Scalar::Int64);
    set(shadow, value);
    set(s.var, x_.convert(get(shadow), type));
    if (!assigned_in_body) ints_[d.id] = get(shadow);
    return;
  }
  ExprP value = x_.add(d.start, x_.mul(x_.convert(k, d.start->type), d.step));
  set(s.var, x_.convert(value, type));
}

void FunctionLowering::nest(const std::vector<LoopDim>& dims, size_t depth, const LoopInfo& facts, bool independent,
                            const std::function<void()>& inner, const ir::Body* versioned,
                            const std::vector<VarId>& counters) {
  const LoopDim& d = dims[depth];
  const bool innermost = depth + 1 == dims.size();
  const bool assigned = facts.assigned.count(d.id) != 0;
  auto loop = [&](bool fallback) {
    VarId k = new_var(name_of(d.id) + ".k", Scalar::Int64);
    Block body = collect([&] {
      loop_variable(d, get(k), assigned);
      if (innermost) {
        // Every iteration begins with its point of the domain, whatever the one before assigned.
        for (size_t outer = 0; outer < depth; ++outer)
          if (facts.assigned.count(dims[outer].id)) loop_variable(dims[outer], get(counters[outer]), true);
        inner();
      } else {
        std::vector<VarId> all = counters;
        all.push_back(k);
        nest(dims, depth + 1, facts, independent, inner, versioned, all);
        if (break_flag_ != none) emit(If{get(break_flag_), {Stmt{Break{}}}, {}});
      }
    });
    emit(CountedLoop{k, x_.int_const(0), d.count, std::move(body),
                     independent && innermost && !facts.has_loop && !facts.has_atomic, fallback || plain_loops_});
  };
  const bool versions =
      innermost && versioned && fn_.kind != Function::Kind::Kernel && m_.options.version_loops && !plain_loops_;
  if (versions && facts.has_loop && jam(d, facts, *versioned, [&] { loop(false); })) return;
  if (versions && !facts.has_loop && facts.statements <= 60) {
    Version v = version(d, facts, *versioned);
    // An independent loop needs no proof that its arrays lie apart, but gathers are looked at before anything is
    // stored.
    std::map<VarId, int32_t> sets;
    if (alias_.flag && !facts.stored.empty() && !facts.has_atomic && (!independent || !v.gathers.empty())) {
      sets = alias_sets();
      v.guard = v.guard ? x_.both(alias_.flag, v.guard) : alias_.flag;
    }
    if (v.guard) {
      auto unchecked = unchecked_;
      auto ints = ints_;
      auto active = active_sets_;
      auto whole = whole_;
      active_sets_ = sets;
      unchecked_.insert(v.unchecked.begin(), v.unchecked.end());
      for (const auto& [id, e] : v.ints) ints_[id] = e;
      if (!v.gathers.empty()) {
        v.guard = inspect(v, d);
        for (const Version::Gather& g : v.gathers) {
          unchecked_.insert(&g.index->subscripts[g.axis]);
          whole_.insert(g.index->subscripts[g.axis].value.get());
        }
      }
      Block fast = collect([&] { loop(false); });
      whole_ = std::move(whole);
      unchecked_ = std::move(unchecked);
      ints_ = ints;
      active_sets_ = std::move(active);
      Block slow = collect([&] { loop(true); });
      ints_ = ints;
      emit(If{x_.not_(v.guard), std::move(slow), std::move(fast), true});
      return;
    }
  }
  auto ints = ints_;
  loop(false);
  ints_ = ints;
}

void FunctionLowering::for_(const ir::For& s) {
  const size_t temps = temps_.size();
  std::vector<LoopDim> dims = loop_dims(s.itervars, s.domain);
  // No point in an inner dimension: no iteration at all, so that the outer variables stay as they are.
  for (size_t k = dims.size(); k-- > 1;) {
    ExprP some = x_.gt(dims[k].count, x_.int_const(0));
    dims[k - 1].count = keep(x_.select(some, dims[k - 1].count, x_.int_const(0)), "count");
  }
  release_temps(temps);
  LoopInfo facts = loop_info(s.body);
  auto unique = unique_;
  auto ints = ints_;
  for (ir::SymbolId id : facts.assigned) ints_.erase(id);
  for (ir::SymbolId id : s.itervars) ints_.erase(id);
  unique_before_loop(facts);
  const VarId flag = break_flag_;
  break_flag_ = none;
  bool breaks = false;
  ir::walk_stmts(s.body, [&](const ir::Stmt& n) { breaks = breaks || n.kind == ir::Kind::Break; });
  if (dims.size() > 1 && breaks) {
    break_flag_ = new_var("left", Scalar::Bool);
    set(break_flag_, x_.bool_const(false));
  }
  const AliasState alias = alias_;
  alias_before_loop(facts, s.body);
  nest(dims, 0, facts, false, [&] { body(s.body); }, &s.body);
  alias_ = alias;
  break_flag_ = flag;
  unique_ = std::move(unique);
  ints_ = std::move(ints);
  for (ir::SymbolId id : facts.assigned) ints_.erase(id);
}

}  // namespace vr::lower
