// Counted loops over domains (thesis 4.1.3, 4.2.3): trip counts, loop variables, nests, the choice of a checked or
// unchecked body.
#include "lower/function_lowering.hpp"

#include "ir/typing.hpp"

#include <algorithm>
#include <limits>

namespace vr::lower {

using ir::Elem;

namespace {

/// How many loops lie in one another.
int loops_deep(const Block& b) {
  int deepest = 0;
  for (const Stmt& s : b) {
    const bool loop = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
    for (const Block* p : parts(s)) deepest = std::max(deepest, loops_deep(*p) + loop);
  }
  return deepest;
}

}  // namespace

ExprP FunctionLowering::range_count(ExprP start, ExprP step, ExprP stop, bool exclude) {
  if (!is_float(start->type)) return int_range_count(start, step, stop, x_.bool_const(exclude));
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

// `given`: the domain's type of this dimension, to which the parts are converted; null: none was stated.
FunctionLowering::LoopDim FunctionLowering::loop_dim(ir::SymbolId id, const ir::Range& r, const ir::Type& given) {
  LoopDim d;
  d.id = id;
  // The stated type, else the widest of what start, step and stop are.
  Elem elem = Elem::Int32;
  bool whole_parts = true;
  for (const ir::ExprPtr& e : {r.start, r.step, r.stop}) {
    if (!e) continue;
    elem = ir::common_elem(elem, e->type.elem);
    whole_parts = whole_parts && !ir::is_float(e->type.elem);
  }
  if (given.is_scalar()) elem = given.elem;
  const bool exclude = r.exclude.value_or(conv_.exclude);
  ExprP base = x_.int_const(conv_.indexing), one = x_.int_const(1);
  if (!ir::is_float(elem) || (elem == Elem::Float64 && whole_parts)) {
    auto part = [&](const ir::ExprPtr& e, ExprP otherwise, const char* name) {
      if (!e) return otherwise;
      const Elem narrow = ir::is_float(elem) ? Elem::Int64 : elem;
      return keep(x_.convert(convert(scalar(e), narrow, false).re, Scalar::Int64), name);
    };
    d.start = part(r.start, base, "start");
    d.step = part(r.step, one, "step");
    ExprP stop = part(r.stop, base, "stop");
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
  d.int_start = r.start ? int_form(*r.start) : base;
  d.int_step = r.step ? int_form(*r.step) : one;
  d.integral = elem == Elem::Float64 && d.int_start && d.int_step;
  if (d.integral) {
    d.int_start = keep(d.int_start, "start");
    d.int_step = keep(d.int_step, "step");
  }
  d.start = part(r.start, base, "start");
  d.step = part(r.step, one, "step");
  ExprP stop = part(r.stop, base, "stop");
  d.count = range_count(d.start, d.step, stop, exclude);
  return d;
}

// A dimension of a domain variable: its parts as it has them now, what it was not given as for a range as written.
FunctionLowering::LoopDim FunctionLowering::loop_dim(ir::SymbolId id, const Slot* parts) {
  LoopDim d;
  d.id = id;
  d.integral = !ir::is_float(parts[0].type.elem);
  const Scalar s = d.integral ? Scalar::Int64 : scalar_of(parts[0].type.elem);
  auto has = [&](int32_t bit) { return has_range_bit(parts, bit); };
  auto part = [&](int k, int32_t bit, int64_t otherwise, const char* name) {
    return temp(x_.select(has(bit), x_.convert(get(parts[k].var), s), x_.convert(x_.int_const(otherwise), s)), name);
  };
  d.start = part(0, RangeStart, conv_.indexing, "start");
  d.step = part(1, RangeStep, 1, "step");
  ExprP stop = temp(x_.convert(get(parts[2].var), s), "stop");
  fail_if(x_.both(has(RangeAssigned), x_.not_(has(RangeStop))), Code::Type,
          "a range without a stop cannot be iterated");
  ExprP less = range_count(d.start, d.step, stop, true), all = range_count(d.start, d.step, stop, false);
  d.count = temp(x_.select(has(RangeAssigned), x_.select(has(RangeExclude), less, all), x_.int_const(0)), "count");
  if (d.integral) d.int_start = d.start, d.int_step = d.step;
  return d;
}

ExprP FunctionLowering::has_range_bit(const Slot* parts, int32_t bit) {
  ExprP bits = x_.binary(Op::And, get(parts[3].var), x_.int_const(bit, Scalar::Int32));
  return x_.ne(bits, x_.int_const(0, Scalar::Int32));
}

std::vector<FunctionLowering::LoopDim> FunctionLowering::loop_dims(const std::vector<ir::SymbolId>& ids,
                                                                   const ir::ExprPtr& domain) {
  std::vector<LoopDim> dims;
  auto* d = ir::as<ir::Domain>(domain);
  bool endless = false, ranges = true;
  const std::vector<ir::ExprPtr> parts = d ? d->ranges : std::vector<ir::ExprPtr>{domain};
  // Ranges that state two types are converted through both, as domain variables are.
  for (size_t k = 0; k < parts.size(); ++k)
    ranges = ranges && parts[k]->kind == ir::Kind::Range &&
             (!d || !parts[k]->type.is_domain() || parts[k]->type.components()[0] == d->type.components()[k]);
  if (!ranges) {
    const Slot s = domain_slot(domain);
    for (size_t k = 0; k < ids.size(); ++k) dims.push_back(loop_dim(ids[k], &s.parts[4 * k]));
    return dims;
  }
  const auto& types = domain->type.components();
  for (size_t k = 0; k < ids.size(); ++k) {
    const auto& r = static_cast<const ir::Range&>(*parts[k]);
    endless = endless || !r.stop;
    dims.push_back(loop_dim(ids[k], r, types.empty() ? ir::Type::null() : types[std::min(k, types.size() - 1)]));
  }
  if (endless) fail_if(x_.bool_const(true), Code::Type, "a range without a stop cannot be iterated");
  return dims;
}

Slot FunctionLowering::domain_slot(const ir::ExprPtr& e) {
  if (auto* n = ir::as<ir::Name>(e)) return slot(n->id);
  if (ir::as<ir::FnCall>(e)) return call_results(e).at(0);
  Slot s = new_slot("domain", e->type);
  assign_domain(s, e);
  return s;
}

void FunctionLowering::assign_domain(Slot& to, const ir::ExprPtr& value) {
  auto copy = [&](const Slot* from, Slot* part) {
    for (int k = 0; k < 4; ++k) {
      const ir::Type& t = part[k].type;
      set(part[k].var, convert({get(from[k].var), nullptr, from[k].type.elem}, t).re);
    }
  };
  auto* d = ir::as<ir::Domain>(value);
  const std::vector<ir::ExprPtr> dims = d ? d->ranges : std::vector<ir::ExprPtr>{value};
  if (!d && value->kind != ir::Kind::Range) {
    const Slot from = domain_slot(value);
    for (size_t k = 0; k < from.parts.size(); k += 4) copy(&from.parts[k], &to.parts[k]);
    return;
  }
  // All parts first: they may look at the variable.
  std::vector<Slot> made;
  for (size_t q = 0; q < dims.size(); ++q) {
    if (dims[q]->kind != ir::Kind::Range) {
      const Slot from = domain_slot(dims[q]);
      made.push_back(new_slot("dimension", from.type));
      copy(from.parts.data(), made.back().parts.data());
      continue;
    }
    const auto& r = static_cast<const ir::Range&>(*dims[q]);
    const ir::Type stated = r.type.is_domain()        ? r.type
                            : value->type.is_domain() ? ir::Type::domain({value->type.components()[q]})
                                                      : ir::Type::domain({to.type.components()[q]});
    made.push_back(new_slot("dimension", stated));
    int32_t bits = RangeAssigned | (r.exclude.value_or(conv_.exclude) ? RangeExclude : 0);
    const ir::ExprPtr* parts[] = {&r.start, &r.step, &r.stop};
    for (int k = 0; k < 3; ++k) {
      if (!*parts[k]) continue;
      bits |= 1 << k;
      set(made.back().parts[k].var, convert(scalar(*parts[k]), stated.components()[0]).re);
    }
    set(made.back().parts[3].var, x_.int_const(bits, Scalar::Int32));
  }
  for (size_t q = 0; q < dims.size(); ++q) {
    Slot through = made[q];
    if (value->type.is_domain() && !(value->type.components()[q] == through.type.components()[0])) {
      Slot s = new_slot("dimension", ir::Type::domain({value->type.components()[q]}));
      copy(through.parts.data(), s.parts.data());
      through = s;
    }
    copy(through.parts.data(), &to.parts[4 * q]);
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
    // Above 2^24 a float32 is not the number that it was made of.
    VarId shadow = new_var(name_of(d.id) + ".int", Scalar::Int64);
    set(shadow, value);
    set(s.var, x_.convert(get(shadow), type));
    if (!assigned_in_body && type != Scalar::Float32) ints_[d.id] = get(shadow);
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
  if (versions && facts.has_loop && dims.size() == 1 &&
      product_loop(d, facts, *versioned, [&] { nest(dims, depth, facts, independent, inner, nullptr, counters); }))
    return;
  if (versions && facts.has_loop && jam(d, facts, *versioned, [&] { loop(false); })) return;
  if (versions && !facts.has_loop && facts.statements <= 60) {
    Version v = version(d, facts, *versioned);
    // An independent loop needs no proof that its arrays lie apart, but gathers are looked at before anything is
    // stored.
    std::map<VarId, int32_t> sets;
    if (alias_.flag && !facts.stored.empty() && !facts.has_atomic && (!independent || !v.gathers.empty())) {
      sets = alias_sets();
      v.guard = x_.both(alias_.flag, v.guard);
    }
    auto unchecked = unchecked_;
    auto ints = ints_;
    auto active = active_sets_;
    auto whole = whole_;
    active_sets_ = sets;
    unchecked_.insert(v.unchecked.begin(), v.unchecked.end());
    for (const auto& [id, e] : v.ints) ints_[id] = e;
    if (!v.gathers.empty() && !is_false(v.guard)) {
      v.guard = inspect(v, d);
      for (const Version::Gather& g : v.gathers) {
        unchecked_.insert(&g.index->subscripts[g.axis]);
        whole_.insert(g.index->subscripts[g.axis].value.get());
      }
    }
    Block fast, slow;
    if (!is_false(v.guard)) {
      ExprP passed = nullptr;
      auto copy = [&] {
        Block b = collect([&] { loop(false); });
        // Where one copy does, a second one of all the loops in it costs more than the checks.
        ExprP pass = is_true(v.guard) && loops_deep(b) > 1 ? nullptr : take_out_checks(b);
        if (pass && !(passed && same(pass, passed))) v.guard = x_.both(v.guard, pass);
        passed = pass;
        return b;
      };
      fast = copy();
      if (!v.adjacent.empty()) {
        // Vectors need to know that the elements lie side by side.
        ExprP adjacent = x_.bool_const(true);
        for (const auto& [stride, bytes] : v.adjacent)
          adjacent = x_.both(adjacent, x_.eq(get(stride), x_.int_const(bytes)));
        const auto known = known_;
        for (const auto& [stride, bytes] : v.adjacent) known_[stride] = bytes;
        Block vectors = copy();
        known_ = known;
        fast = collect([&] { emit(If{adjacent, std::move(vectors), std::move(fast)}); });
      }
    }
    whole_ = std::move(whole);
    unchecked_ = std::move(unchecked);
    ints_ = ints;
    active_sets_ = std::move(active);
    // Of a guard that is known only one copy is made.
    if (!is_true(v.guard)) slow = collect([&] { loop(!is_false(v.guard)); });
    ints_ = ints;
    if (is_true(v.guard) || is_false(v.guard))
      append(std::move(is_true(v.guard) ? fast : slow));
    else
      emit(If{x_.not_(v.guard), std::move(slow), std::move(fast), true});
    return;
  }
  auto ints = ints_;
  loop(false);
  ints_ = ints;
}

void FunctionLowering::for_(const ir::For& s) {
  const size_t temps = temps_.size();
  std::vector<LoopDim> dims;
  if (in_section_)
    on_device([&] { dims = loop_dims(s.itervars, s.domain); });
  else
    dims = loop_dims(s.itervars, s.domain);
  // No point in an inner dimension: no iteration at all, so that the outer variables stay as they are.
  for (size_t k = dims.size(); k-- > 1;) {
    ExprP some = x_.gt(dims[k].count, x_.int_const(0));
    dims[k - 1].count = keep(x_.select(some, dims[k - 1].count, x_.int_const(0)), "count");
  }
  release_temps(temps);
  LoopInfo facts = loop_info(s.body);
  auto ints = ints_;
  for (ir::SymbolId id : facts.assigned) ints_.erase(id);
  for (ir::SymbolId id : s.itervars) ints_.erase(id);
  unique_before_loop(facts);
  const auto unique = unique_;
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
  auto inner = [&] {
    body(s.body);
    unique_ = unique;  // what an iteration made so need not be at the start of the next
  };
  nest(dims, 0, facts, false, inner, &s.body);
  alias_ = alias;
  break_flag_ = flag;
  ints_ = std::move(ints);
  for (ir::SymbolId id : facts.assigned) ints_.erase(id);
}

}  // namespace vr::lower
