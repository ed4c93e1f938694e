// Counted loops over domains (thesis 4.1.3, 4.2.3): trip counts, loop variables, nests, the choice of a checked or
// unchecked body.
#include "lower/loop.hpp"

#include "ir/typing.hpp"
#include "lower/alias.hpp"
#include "lower/call.hpp"
#include "lower/elementwise.hpp"
#include "lower/jam.hpp"
#include "lower/ownership.hpp"
#include "lower/product_loop.hpp"
#include "lower/range.hpp"
#include "lower/scalar.hpp"
#include "lower/statement.hpp"
#include "lower/variables.hpp"
#include "lower/version.hpp"
#include "lower/writable.hpp"

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

ExprP range_count(Emitter& out, ExprP start, ExprP step, ExprP stop, bool exclude) {
  if (!is_float(start->type)) return int_range_count(out, start, step, stop, out.x.bool_const(exclude));
  // As MATLAB counts: a quotient that rounding left a little below a whole number counts as that number.
  Scalar s = start->type;
  ExprP zero = out.x.float_const(0, s);
  double eps = s == Scalar::Float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  ExprP q = out.keep(out.x.binary(Op::Div, out.x.sub(stop, start), step), "quotient");
  ExprP one = out.x.float_const(1, s);
  ExprP n = out.keep(out.x.add(out.x.math(MathFn::Floor, out.x.mul(q, out.x.float_const(1 + eps, s))), one), "n");
  if (exclude) {
    // One less when the last value is the stop, up to rounding.
    ExprP last = out.keep(out.x.add(start, out.x.mul(out.x.sub(n, one), step)), "last");
    ExprP a = out.x.math(MathFn::Fabs, start), b = out.x.math(MathFn::Fabs, stop);
    ExprP slack = out.keep(out.x.mul(out.x.float_const(eps, s), out.x.select(out.x.lt(a, b), b, a)), "slack");
    ExprP reached = out.x.select(out.x.gt(step, zero), out.x.ge(last, out.x.sub(stop, slack)),
                                 out.x.le(last, out.x.add(stop, slack)));
    n = out.x.select(reached, out.x.sub(n, one), n);
  }
  ExprP runs = out.x.both(out.x.ne(step, zero), out.x.ge(q, zero));
  return out.keep(out.x.select(runs, out.x.convert(n, Scalar::Int64), out.x.int_const(0)), "count");
}

// `given`: the domain's type of this dimension, to which the parts are converted; null: none was stated.
static LoopDim loop_dim(Lowering& f, ir::SymbolId id, const ir::Range& r, const ir::Type& given) {
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
  const bool exclude = r.exclude.value_or(f.conv.exclude);
  ExprP base = f.x.int_const(f.conv.indexing), one = f.x.int_const(1);
  if (!ir::is_float(elem) || (elem == Elem::Float64 && whole_parts)) {
    auto part = [&](const ir::ExprPtr& e, ExprP otherwise, const char* name) {
      if (!e) return otherwise;
      const Elem narrow = ir::is_float(elem) ? Elem::Int64 : elem;
      return f.out.keep(f.x.convert(convert(f.out, scalar(f, e), narrow, false).re, Scalar::Int64), name);
    };
    d.start = part(r.start, base, "start");
    d.step = part(r.step, one, "step");
    ExprP stop = part(r.stop, base, "stop");
    d.count = range_count(f.out, d.start, d.step, stop, exclude);
    d.integral = true;
    d.int_start = d.start;
    d.int_step = d.step;
    return d;
  }
  Scalar s = scalar_of(elem);
  auto part = [&](const ir::ExprPtr& e, ExprP otherwise, const char* name) {
    return e ? f.out.keep(convert(f.out, scalar(f, e), elem, false).re, name) : f.x.convert(otherwise, s);
  };
  d.int_start = r.start ? int_form(f, *r.start) : base;
  d.int_step = r.step ? int_form(f, *r.step) : one;
  d.integral = elem == Elem::Float64 && d.int_start && d.int_step;
  if (d.integral) {
    d.int_start = f.out.keep(d.int_start, "start");
    d.int_step = f.out.keep(d.int_step, "step");
  }
  d.start = part(r.start, base, "start");
  d.step = part(r.step, one, "step");
  ExprP stop = part(r.stop, base, "stop");
  d.count = range_count(f.out, d.start, d.step, stop, exclude);
  return d;
}

// A dimension of a domain variable: its parts as it has them now, what it was not given as for a range as written.
static LoopDim loop_dim(Lowering& f, ir::SymbolId id, const Slot* parts) {
  LoopDim d;
  d.id = id;
  d.integral = !ir::is_float(parts[0].type.elem);
  const Scalar s = d.integral ? Scalar::Int64 : scalar_of(parts[0].type.elem);
  auto has = [&](int32_t bit) { return has_range_bit(f.out, parts, bit); };
  auto part = [&](int k, int32_t bit, int64_t otherwise, const char* name) {
    return f.out.temp(
        f.x.select(has(bit), f.x.convert(f.out.get(parts[k].var), s), f.x.convert(f.x.int_const(otherwise), s)), name);
  };
  d.start = part(0, RangeStart, f.conv.indexing, "start");
  d.step = part(1, RangeStep, 1, "step");
  ExprP stop = f.out.temp(f.x.convert(f.out.get(parts[2].var), s), "stop");
  f.out.fail_if(f.x.both(has(RangeAssigned), f.x.not_(has(RangeStop))), Code::Type,
                "a range without a stop cannot be iterated");
  ExprP less = range_count(f.out, d.start, d.step, stop, true), all = range_count(f.out, d.start, d.step, stop, false);
  d.count =
      f.out.temp(f.x.select(has(RangeAssigned), f.x.select(has(RangeExclude), less, all), f.x.int_const(0)), "count");
  if (d.integral) d.int_start = d.start, d.int_step = d.step;
  return d;
}

ExprP has_range_bit(Emitter& out, const Slot* parts, int32_t bit) {
  ExprP bits = out.x.binary(Op::And, out.get(parts[3].var), out.x.int_const(bit, Scalar::Int32));
  return out.x.ne(bits, out.x.int_const(0, Scalar::Int32));
}

std::vector<LoopDim> loop_dims(Lowering& f, const std::vector<ir::SymbolId>& ids, const ir::ExprPtr& domain) {
  std::vector<LoopDim> dims;
  auto* d = ir::as<ir::Domain>(domain);
  bool endless = false, ranges = true;
  const std::vector<ir::ExprPtr> parts = d ? d->ranges : std::vector<ir::ExprPtr>{domain};
  // Ranges that state two types are converted through both, as domain variables are.
  for (size_t k = 0; k < parts.size(); ++k)
    ranges = ranges && parts[k]->kind == ir::Kind::Range &&
             (!d || !parts[k]->type.is_domain() || parts[k]->type.components()[0] == d->type.components()[k]);
  if (!ranges) {
    const Slot s = domain_slot(f, domain);
    for (size_t k = 0; k < ids.size(); ++k) dims.push_back(loop_dim(f, ids[k], &s.parts[4 * k]));
    return dims;
  }
  const auto& types = domain->type.components();
  for (size_t k = 0; k < ids.size(); ++k) {
    const auto& r = static_cast<const ir::Range&>(*parts[k]);
    endless = endless || !r.stop;
    dims.push_back(loop_dim(f, ids[k], r, types.empty() ? ir::Type::null() : types[std::min(k, types.size() - 1)]));
  }
  if (endless) f.out.fail_if(f.x.bool_const(true), Code::Type, "a range without a stop cannot be iterated");
  return dims;
}

Slot domain_slot(Lowering& f, const ir::ExprPtr& e) {
  if (auto* n = ir::as<ir::Name>(e)) return slot(f, n->id);
  if (ir::as<ir::FnCall>(e)) return call_results(f, e).at(0);
  Slot s = new_slot(f.out, "domain", e->type);
  assign_domain(f, s, e);
  return s;
}

void assign_domain(Lowering& f, Slot& to, const ir::ExprPtr& value) {
  auto copy = [&](const Slot* from, Slot* part) {
    for (int k = 0; k < 4; ++k) {
      const ir::Type& t = part[k].type;
      f.out.set(part[k].var, convert(f.out, {f.out.get(from[k].var), nullptr, from[k].type.elem}, t).re);
    }
  };
  auto* d = ir::as<ir::Domain>(value);
  const std::vector<ir::ExprPtr> dims = d ? d->ranges : std::vector<ir::ExprPtr>{value};
  if (!d && value->kind != ir::Kind::Range) {
    const Slot from = domain_slot(f, value);
    for (size_t k = 0; k < from.parts.size(); k += 4) copy(&from.parts[k], &to.parts[k]);
    return;
  }
  // All parts first: they may read the variable.
  std::vector<Slot> made;
  for (size_t q = 0; q < dims.size(); ++q) {
    if (dims[q]->kind != ir::Kind::Range) {
      const Slot from = domain_slot(f, dims[q]);
      made.push_back(new_slot(f.out, "dimension", from.type));
      copy(from.parts.data(), made.back().parts.data());
      continue;
    }
    const auto& r = static_cast<const ir::Range&>(*dims[q]);
    const ir::Type stated = r.type.is_domain()        ? r.type
                            : value->type.is_domain() ? ir::Type::domain({value->type.components()[q]})
                                                      : ir::Type::domain({to.type.components()[q]});
    made.push_back(new_slot(f.out, "dimension", stated));
    int32_t bits = RangeAssigned | (r.exclude.value_or(f.conv.exclude) ? RangeExclude : 0);
    const ir::ExprPtr* parts[] = {&r.start, &r.step, &r.stop};
    for (int k = 0; k < 3; ++k) {
      if (!*parts[k]) continue;
      bits |= 1 << k;
      f.out.set(made.back().parts[k].var, convert(f.out, scalar(f, *parts[k]), stated.components()[0]).re);
    }
    f.out.set(made.back().parts[3].var, f.x.int_const(bits, Scalar::Int32));
  }
  for (size_t q = 0; q < dims.size(); ++q) {
    Slot through = made[q];
    if (value->type.is_domain() && !(value->type.components()[q] == through.type.components()[0])) {
      Slot s = new_slot(f.out, "dimension", ir::Type::domain({value->type.components()[q]}));
      copy(through.parts.data(), s.parts.data());
      through = s;
    }
    copy(through.parts.data(), &to.parts[4 * q]);
  }
}

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
    // Above 2^24 a float32 is not the number that it was made of.
    VarId shadow = f.out.new_var(name_of(f, d.id) + ".int", Scalar::Int64);
    f.out.set(shadow, value);
    f.out.set(s.var, f.x.convert(f.out.get(shadow), type));
    if (!assigned_in_body && type != Scalar::Float32) f.facts.ints[d.id] = f.out.get(shadow);
    return;
  }
  ExprP value = f.x.add(d.start, f.x.mul(f.x.convert(k, d.start->type), d.step));
  f.out.set(s.var, f.x.convert(value, type));
}

void nest(Lowering& f, const std::vector<LoopDim>& dims, size_t depth, const LoopInfo& facts, bool independent,
          const std::function<void()>& inner, const ir::Body* versioned, const std::vector<VarId>& counters) {
  const LoopDim& d = dims[depth];
  const bool innermost = depth + 1 == dims.size();
  const bool assigned = facts.assigned.count(d.id) != 0;
  auto loop = [&](bool fallback) {
    VarId k = f.out.new_var(name_of(f, d.id) + ".k", Scalar::Int64);
    Block body = f.out.collect([&] {
      loop_variable(f, d, f.out.get(k), assigned);
      if (innermost) {
        // Every iteration begins with its point of the domain, whatever the one before assigned.
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
    f.out.emit(CountedLoop{k, f.x.int_const(0), d.count, std::move(body),
                           independent && innermost && !facts.has_loop && !facts.has_atomic,
                           fallback || f.loops.plain});
  };
  const bool versions =
      innermost && versioned && f.out.fn.kind != Function::Kind::Kernel && f.m.options.version_loops && !f.loops.plain;
  if (versions && facts.has_loop && dims.size() == 1 && product_loop(f, d, facts, *versioned, [&] {
        nest(f, dims, depth, facts, independent, inner, nullptr, counters);
      }))
    return;
  if (versions && facts.has_loop && jam(f, d, facts, *versioned, [&] { loop(false); })) return;
  if (versions && !facts.has_loop && facts.statements <= 60) {
    Version v = version(f, d, facts, *versioned);
    // An independent loop needs no proof that its arrays are disjoint, but gathers are checked before anything is
    // stored.
    Block fast, slow;
    {
      // What holds in the copy without checks alone.
      const Restore unchecked(f.facts.unchecked);
      const Restore ints(f.facts.ints);
      const Restore whole(f.facts.whole);
      const Restore sets(f.out.alias_sets, {});
      if (f.facts.alias.flag && !facts.stored.empty() && !facts.has_atomic && (!independent || !v.gathers.empty())) {
        f.out.alias_sets = alias_sets(f);
        v.guard = f.x.both(f.facts.alias.flag, v.guard);
      }
      f.facts.unchecked.insert(v.unchecked.begin(), v.unchecked.end());
      for (const auto& [id, e] : v.ints) f.facts.ints[id] = e;
      if (!v.gathers.empty() && !is_false(v.guard)) {
        v.guard = inspect(f, v, d);
        for (const Version::Gather& g : v.gathers) {
          f.facts.unchecked.insert(&g.index->subscripts[g.axis]);
          f.facts.whole.insert(g.index->subscripts[g.axis].value.get());
        }
      }
      if (!is_false(v.guard)) {
        ExprP passed = nullptr;
        auto copy = [&] {
          Block b = f.out.collect([&] { loop(false); });
          // Where one copy does, a second one of all the loops in it costs more than the checks.
          ExprP pass = is_true(v.guard) && loops_deep(b) > 1 ? nullptr : take_out_checks(f.out, b);
          if (pass && !(passed && same(pass, passed))) v.guard = f.x.both(v.guard, pass);
          passed = pass;
          return b;
        };
        fast = copy();
        if (!v.adjacent.empty()) {
          // Vectors need to know that the accesses have unit stride.
          ExprP adjacent = f.x.bool_const(true);
          for (const auto& [stride, bytes] : v.adjacent)
            adjacent = f.x.both(adjacent, f.x.eq(f.out.get(stride), f.x.int_const(bytes)));
          Block vectors;
          {
            const Restore known(f.out.known);
            for (const auto& [stride, bytes] : v.adjacent) f.out.known[stride] = bytes;
            vectors = copy();
          }
          fast = f.out.collect([&] { f.out.emit(If{adjacent, std::move(vectors), std::move(fast)}); });
        }
      }
    }
    // Of a guard that is known only one copy is made.
    if (!is_true(v.guard)) {
      const Restore ints(f.facts.ints);
      slow = f.out.collect([&] { loop(!is_false(v.guard)); });
    }
    if (is_true(v.guard) || is_false(v.guard))
      f.out.append(std::move(is_true(v.guard) ? fast : slow));
    else
      f.out.emit(If{f.x.not_(v.guard), std::move(slow), std::move(fast), true});
    return;
  }
  const Restore ints(f.facts.ints);
  loop(false);
}

static std::map<ir::SymbolId, ExprP>& without(std::map<ir::SymbolId, ExprP>& ints, const std::set<ir::SymbolId>& gone) {
  for (ir::SymbolId id : gone) ints.erase(id);
  return ints;
}

LoopScope::LoopScope(Lowering& f, const LoopInfo& facts, const std::vector<ir::SymbolId>& itervars)
    : f_(f),
      ints_(without(f.facts.ints, facts.assigned)),
      break_flag_(f.loops.break_flag, none),
      alias_(f.facts.alias) {
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
  // No point in an inner dimension: no iteration at all, so that the outer variables stay as they are.
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
  alias_before_loop(f, facts, s.body);
  auto inner = [&] {
    body(f, s.body);
    scope.next_iteration();
  };
  nest(f, dims, 0, facts, false, inner, &s.body);
}

}  // namespace vr::lower
