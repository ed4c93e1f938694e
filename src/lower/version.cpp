// Loop versioning: bounds checks leave the innermost loop (past thesis 5.6; the error stays exact).
//
//   for i in 0..n { A[i+1] = A[i] }        if (0 <= first+1 && last+1 < extent && ...) { the loop without checks }
//                                          else { the loop with checks }
// A subscript that is affine in the loop variable, with everything else in it unchanged by the loop, takes its smallest
// and largest value at the ends of the loop; two comparisons there stand for all of those inside. The checked copy runs
// when they fail, so that a fault is reported at the very iteration that has it, and growth happens as written.
//
// Subscripts that are read from arrays (gathers) are looked at by a loop of their own before (an inspector), when what
// remains can then be vectorised.
#include "lower/version.hpp"

#include "ir/sharing.hpp"
#include "lower/affine.hpp"
#include "lower/index.hpp"
#include "lower/loop.hpp"
#include "lower/scalar.hpp"
#include "lower/variables.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vr::lower {

using ir::Elem;

namespace {

// Scalars that each iteration makes once, before it reads them: j = i + 1.
std::vector<const ir::Assign*> made_once(const ir::Body& body, const ir::Function& f) {
  std::map<ir::SymbolId, int> times;
  for (const ir::StmtPtr& s : body)
    for (ir::SymbolId id : analysis::loop_info({s}).assigned) ++times[id];
  const auto carried = ir::read_before_assigned(body, f);
  std::vector<const ir::Assign*> found;
  for (const ir::StmtPtr& s : body) {
    auto* a = ir::as<ir::Assign>(s);
    if (!a || a->targets.size() != 1) continue;
    auto* to = ir::as<ir::Name>(a->targets[0]);
    if (to && times[to->id] == 1 && std::find(carried.begin(), carried.end(), to->id) == carried.end() &&
        to->type.is_scalar() && to->type == a->value->type)
      found.push_back(a);
  }
  return found;
}

// Whether an expression can be computed before a loop that assigns those variables, without a fault.
bool steady(ExprP e, const std::map<VarId, int>& assigned) {
  if (!e) return true;
  switch (e->kind) {
    case Expr::Kind::Var:
      return !assigned.count(e->var);
    case Expr::Kind::Load:
      return false;
    case Expr::Kind::Binary:
      if ((e->op == Op::Div || e->op == Op::Rem) && !is_float(e->type)) return false;
      [[fallthrough]];
    default:
      return steady(e->a, assigned) && steady(e->b, assigned) && steady(e->c, assigned);
  }
}

// Every way through the block ends in a fault.
bool always_fails(const Block& b) {
  return std::any_of(b.begin(), b.end(), [](const Stmt& s) {
    if (auto* i = std::get_if<If>(&s.node)) {
      if (i->cond->kind == Expr::Kind::IntConst) return always_fails(i->cond->ival ? i->then_body : i->else_body);
      return always_fails(i->then_body) && always_fails(i->else_body);
    }
    return std::holds_alternative<Fail>(s.node);
  });
}

}  // namespace

static void find_gathers(Lowering& f, Version& v, const LoopDim& d, const LoopInfo& facts, const ir::Body& body);

// Takes checks out of a loop whose outcome is the same in every iteration (a divisor that stays, an array that may be
// read-only); the result says that none of them fails, null: there were none. The checked copy keeps the fault where it
// is.
ExprP take_out_checks(Emitter& out, Block& loop) {
  std::vector<ExprP> passes;
  const auto assigned = assignments(loop);
  std::function<void(Block&)> visit = [&](Block& b) {
    std::erase_if(b, [&](const Stmt& s) {
      auto* i = std::get_if<If>(&s.node);
      if (!i || i->cond->kind == Expr::Kind::IntConst || !i->else_body.empty() || !always_fails(i->then_body) ||
          !steady(i->cond, assigned))
        return false;
      if (std::none_of(passes.begin(), passes.end(), [&](ExprP p) { return same(p, i->cond); }))
        passes.push_back(i->cond);
      return true;
    });
    for (Stmt& s : b) {
      if (auto* l = std::get_if<CountedLoop>(&s.node)) visit(l->body);
      if (auto* i = std::get_if<If>(&s.node)) {
        visit(i->then_body);
        visit(i->else_body);
      }
    }
  };
  visit(loop);
  ExprP all = nullptr;
  for (ExprP p : passes) all = all ? out.x.both(all, out.x.not_(p)) : out.x.not_(p);
  return all;
}

// What is affine in the variables of `loops` loops, in each by up to such a coefficient, changes by less than 2^61 over
// all of them: it cannot leave an array on one side and come back, round the end of Int64, on the other.
ExprP goes_straight(Emitter& out, const LoopDim& d, int64_t coefficient, int loops) {
  const int64_t room = (int64_t{1} << 61) / loops, most_iterations = int64_t{1} << 40;
  if (d.int_step->kind == Expr::Kind::IntConst) {
    int64_t by = 0;
    if (__builtin_mul_overflow(d.int_step->ival, coefficient, &by) || by == INT64_MIN) return out.x.bool_const(false);
    by = std::llabs(by);
    if (by == 0 || (by == 1 && loops == 1)) return out.x.bool_const(true);  // a count is below 2^63
    return out.x.le(d.count, out.x.int_const(room / by));
  }
  if (coefficient == 0) return out.x.bool_const(true);
  ExprP most = out.x.int_const(room / most_iterations / coefficient), none = out.x.neg(most);
  return out.x.both(out.x.le(d.count, out.x.int_const(most_iterations)),
                    out.x.both(out.x.ge(d.int_step, none), out.x.le(d.int_step, most)));
}

Version version(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body) {
  Version v;
  v.guard = f.x.bool_const(true);
  if (facts.has_return) return v;
  struct Candidate {
    const ir::Index* index;
    size_t axis;
    int64_t coefficient;
  };
  std::vector<Candidate> candidates;
  std::set<const ir::Index*> seen;
  const bool integral = d.integral;
  std::set<ir::SymbolId> floats;
  std::map<ir::SymbolId, int64_t> coefficients;
  std::vector<const ir::Assign*> made;
  for (const ir::Assign* a : made_once(body, f.source)) {
    const ir::SymbolId id = ir::as<ir::Name>(a->targets[0])->id;
    Affine affine(d.id, integral, facts, f.facts.ints, f.source.symbols, coefficients);
    if (auto c = affine.coefficient(*a->value)) {
      coefficients[id] = *c;
      made.push_back(a);
      floats.insert(affine.floats.begin(), affine.floats.end());
    }
  }
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    auto* i = ir::as<ir::Index>(&e);
    if (!i || !seen.insert(i).second || facts.assigned.count(i->array)) return;
    const Slot& s = slot(f, i->array);
    if (!s.type.is_array() || !all_scalar(f, *i)) return;
    if (static_cast<int>(i->subscripts.size()) != s.type.rank && !flattens(f, *i)) return;
    for (size_t k = 0; k < i->subscripts.size(); ++k) {
      Affine affine(d.id, integral, facts, f.facts.ints, f.source.symbols, coefficients);
      if (auto c = affine.coefficient(*i->subscripts[k].value)) {
        candidates.push_back({i, k, *c});
        floats.insert(affine.floats.begin(), affine.floats.end());
        const ArrayVars& a = f.out.array(s.array);
        if (std::llabs(*c) == 1 && s.type.layout == ir::Layout::Strided && i->subscripts.size() == a.stride.size() &&
            !is_const(f.out.get(a.stride[k])))
          v.adjacent[a.stride[k]] = a.element_bytes();
      }
    }
  });
  if (candidates.empty()) return v;

  int64_t steepest = 0;
  for (const Candidate& c : candidates) steepest = std::max<int64_t>(steepest, std::llabs(c.coefficient));
  ExprP guard = integral ? goes_straight(f.out, d, steepest, 1) : f.x.bool_const(true), zero = f.x.int_const(0);
  for (ir::SymbolId id : floats) {
    ExprP value = f.out.get(slot(f, id).var);
    ExprP k = f.out.temp(f.x.convert(value, Scalar::Int64), (name_of(f, id) + ".int").c_str());
    v.ints[id] = k;
    guard = f.x.both(guard, f.x.eq(f.x.convert(k, value->type), value));
  }
  // The subscripts' values at both ends of the loop.
  const Restore ints(f.facts.ints);
  for (const auto& [id, e] : v.ints) f.facts.ints[id] = e;
  ExprP first = d.int_start, last = nullptr;
  if (integral) last = f.out.keep(f.x.add(first, f.x.mul(f.x.sub(d.count, f.x.int_const(1)), d.int_step)), "last");
  std::vector<std::pair<ExprP, ExprP>> low_done, high_done;
  auto once = [](auto& list, ExprP p, ExprP extent) {
    for (const auto& [a, b] : list)
      if (same(a, p) && same(b, extent)) return false;
    list.emplace_back(p, extent);
    return true;
  };
  for (const Candidate& c : candidates) {
    const Slot s = slot(f, c.index->array);
    const ir::Subscript& sub = c.index->subscripts[c.axis];
    ExprP extent = f.out.get(f.out.array(s.array).extent[c.axis]);
    if (static_cast<int>(c.index->subscripts.size()) < s.type.rank && c.axis + 1 == c.index->subscripts.size()) {
      std::vector<ExprP> extents;
      for (VarId e : f.out.array(s.array).extent) extents.push_back(f.out.get(e));
      extent = rest_product(f.out, extents, c.axis);
    }
    auto at = [&](ExprP loop_value) -> ExprP {
      if (integral) f.facts.ints[d.id] = loop_value;
      for (const ir::Assign* a : made) {
        const ir::SymbolId id = ir::as<ir::Name>(a->targets[0])->id;
        f.facts.ints.erase(id);
        if (ExprP value = int_form(f, *a->value)) f.facts.ints[id] = value;
      }
      ExprP p = int_form(f, *sub.value);
      return p ? f.x.sub(p, f.x.int_const(f.conv.indexing)) : nullptr;
    };
    // Known to be within bounds as it is.
    if (!sub.minbounds && !sub.maxbounds && !sub.negative && !sub.grow.value_or(f.conv.grow) &&
        !f.m.options.force_checks) {
      v.unchecked.insert(&sub);
      continue;
    }
    ExprP p = at(first), q = c.coefficient != 0 ? at(last) : p;
    if (!p || !q) continue;
    const bool known = c.coefficient == 0 || d.int_step->kind == Expr::Kind::IntConst;
    const bool rising = known && (c.coefficient == 0 || (c.coefficient > 0) == (d.int_step->ival > 0));
    ExprP lowest = rising ? p : q, highest = rising ? q : p;
    if (once(low_done, lowest, zero)) guard = f.x.both(guard, f.x.ge(lowest, zero));
    if (once(high_done, highest, extent)) guard = f.x.both(guard, f.x.lt(highest, extent));
    if (!known) {
      guard = f.x.both(guard, f.x.ge(highest, zero));
      guard = f.x.both(guard, f.x.lt(lowest, extent));
    }
    v.unchecked.insert(&sub);
  }
  if (v.unchecked.empty()) return v;
  v.guard = guard;
  find_gathers(f, v, d, facts, body);
  return v;
}

// Made of constants, variables that stay, the loop's variable, and elements at unchecked places of arrays that the loop
// does not store to: can be computed before the loop, for every iteration, without a fault.
static bool foreseeable(const Lowering& f, const ir::Expr& e, const Version& v, const LoopDim& d,
                        const LoopInfo& facts) {
  if (!e.type.is_scalar() || e.type.complex) return false;
  switch (e.kind) {
    case ir::Kind::IntConst:
    case ir::Kind::FloatConst:
      return true;
    case ir::Kind::Name: {
      const ir::SymbolId id = static_cast<const ir::Name&>(e).id;
      return !facts.assigned.count(id) && (id != d.id || d.integral);
    }
    case ir::Kind::Plus:
    case ir::Kind::Minus:
    case ir::Kind::Mult:
    case ir::Kind::Negate:
    case ir::Kind::Cast: {
      bool all = true;
      ir::for_each_child(e, {[&](const ir::ExprPtr& x) { all = all && foreseeable(f, *x, v, d, facts); }, nullptr});
      return all;
    }
    case ir::Kind::Index: {
      const auto& i = static_cast<const ir::Index&>(e);
      if (!all_scalar(f, i) || facts.stored.count(i.array) || !f.facts.alias.sets.count(i.array)) return false;
      return std::all_of(i.subscripts.begin(), i.subscripts.end(),
                         [&](const ir::Subscript& s) { return v.unchecked.count(&s) != 0; });
    }
    default:
      return false;
  }
}

static void find_gathers(Lowering& f, Version& v, const LoopDim& d, const LoopInfo& facts, const ir::Body& body) {
  constexpr size_t most = 12;
  if (!f.facts.alias.flag || facts.stored.empty() || facts.has_break || facts.has_atomic || !facts.calls.empty())
    return;
  // A value carried from one iteration to the next keeps the loop from being vectorised anyway.
  for (ir::SymbolId id : ir::read_before_assigned(body, f.source))
    if (facts.assigned.count(id)) return;
  std::vector<Version::Gather> found;
  bool all = true;
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    auto* i = ir::as<ir::Index>(&e);
    if (!i || !all_scalar(f, *i)) return;
    for (size_t k = 0; k < i->subscripts.size(); ++k) {
      const ir::Subscript& s = i->subscripts[k];
      if (v.unchecked.count(&s)) continue;
      if (facts.assigned.count(i->array) || static_cast<int>(i->subscripts.size()) != slot(f, i->array).type.rank ||
          !foreseeable(f, *s.value, v, d, facts))
        all = false;
      else
        found.push_back({i, k});
    }
  });
  // One that has to stay checked would keep the loop as it is.
  if (all && found.size() <= most) v.gathers = std::move(found);
}

// Computes the gathers' subscripts for all iterations; the result says that the guard holds and all are within bounds.
ExprP inspect(Lowering& f, const Version& v, const LoopDim& d) {
  VarId fine = f.out.new_var("inspected", Scalar::Bool), bad = f.out.new_var("bad", Scalar::Bool);
  f.out.set(fine, v.guard);
  ExprP zero = f.x.int_const(0), base = f.x.int_const(f.conv.indexing);
  auto look = [&](const Version::Gather& g) {
    const ir::ExprPtr& e = g.index->subscripts[g.axis].value;
    ExprP k = int_form(f, *e), wrong = f.x.bool_const(false);
    if (!k) {
      ScalarValue value = f.out.keep(scalar(f, e));
      k = f.out.keep(f.x.convert(value.re, Scalar::Int64), "k");
      if (ir::is_float(value.elem)) wrong = f.x.ne(f.x.convert(k, value.re->type), value.re);
    }
    ExprP p = f.out.keep(f.x.sub(k, base), "p");
    ExprP extent = f.out.get(f.out.array(slot(f, g.index->array).array).extent[g.axis]);
    wrong = f.x.either(wrong, f.x.either(f.x.lt(p, zero), f.x.ge(p, extent)));
    f.out.set(bad, f.x.either(f.out.get(bad), wrong));
  };
  auto varies = [&](const Version::Gather& g) {
    bool found = false;
    ir::walk_exprs(g.index->subscripts[g.axis].value, [&](const ir::Expr& e) {
      if (auto* n = ir::as<ir::Name>(&e)) found = found || n->id == d.id;
    });
    return found;
  };
  f.out.emit(If{v.guard,
                f.out.collect([&] {
                  f.out.set(bad, f.x.bool_const(false));
                  for (const auto& g : v.gathers)
                    if (!varies(g)) look(g);
                  if (std::any_of(v.gathers.begin(), v.gathers.end(), varies)) {
                    VarId k = f.out.new_var(name_of(f, d.id) + ".k", Scalar::Int64);
                    Block looks = f.out.collect([&] {
                      loop_variable(f, d, f.out.get(k), false);
                      for (const auto& g : v.gathers)
                        if (varies(g)) look(g);
                    });
                    f.out.emit(CountedLoop{k, zero, d.count, std::move(looks), false});
                  }
                  f.out.set(fine, f.x.not_(f.out.get(bad)));
                }),
                {}});
  return f.out.get(fine);
}

}  // namespace vr::lower
