// Unroll and jam: several iterations of a loop run together around its inner reduction (past the thesis).
//
//   for j { s = 0; for k { s += A[i,k] * B[k,j] }; C[i,j] = s }
// waits for each addition before the next one can begin. Iterations of j do not depend on each other, so that
//   for jj by 4 { s0..s3 = 0; for k { s0 += A[i,k] * B[k,jj]; s1 += ...; s2 += ...; s3 += ... }; C[i,jj..jj+3] = s0..s3
//   }
// does the same additions in the same order, four at a time; LLVM's SLP vectoriser makes vectors of the four lanes.
// Taken only when every subscript is affine in both loop variables and in bounds at the corners of the iteration space,
// the arrays are disjoint, and nothing can fault; anything else runs the loops as they are written.
#include "lower/jam.hpp"

#include "ir/library.hpp"
#include "ir/sharing.hpp"
#include "ir/typing.hpp"
#include "lower/affine.hpp"
#include "lower/alias.hpp"
#include "lower/domain.hpp"
#include "lower/guards.hpp"
#include "lower/index.hpp"
#include "lower/loop.hpp"
#include "lower/scalar.hpp"
#include "lower/statement.hpp"
#include "lower/variables.hpp"

#include <algorithm>

namespace vr::lower {

using ir::Elem;
using ir::Kind;

bool pure(const ir::ExprPtr& e) {
  if (!e->type.is_scalar()) return false;
  switch (e->kind) {
    case Kind::Name:
    case Kind::IntConst:
    case Kind::FloatConst:
    case Kind::Dim:
      return true;
    case Kind::Div:
      if (!ir::is_float(e->type.elem)) return false;
      break;
    case Kind::Cast:
    case Kind::Index:
      break;
    case Kind::LibCall: {
      const ir::LibFunction* f = ir::library_function(e);
      if (!f || !ir::is_float(e->type.elem) ||
          (f->sort != ir::LibSort::FloatMap && f->sort != ir::LibSort::SameMap && f->sort != ir::LibSort::Arith &&
           f->sort != ir::LibSort::Select))
        return false;
      break;
    }
    default:
      if (!ir::is_operator(e->kind)) return false;
  }
  if (e->type.complex) return false;
  bool all = true;
  ir::for_each_child(*e, {[&](const ir::ExprPtr& x) { all = all && pure(x); }, nullptr});
  return all;
}

bool same_for_all(const ir::For& inner, ir::SymbolId outer, const LoopInfo& facts) {
  bool same = inner.itervars[0] != outer;
  ir::walk_exprs(inner.domain, [&](const ir::Expr& e) {
    if (e.kind == Kind::Index || e.kind == Kind::LibCall || e.kind == Kind::FnCall) same = false;
    if (auto* n = ir::as<ir::Name>(&e)) same = same && n->id != outer && !facts.assigned.count(n->id);
  });
  return same;
}

namespace {

constexpr int64_t few_iterations = 8;

bool heavy(const ir::Body& body) {
  bool found = false;
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    found = found || e.kind == Kind::LibCall || (e.kind == Kind::Div && ir::is_float(e.type.elem));
  });
  return found;
}

}  // namespace

static std::optional<Jam> jam_plan(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body) {
  if (!d.integral || d.int_step->kind != Expr::Kind::IntConst || d.int_step->ival == 0) return {};
  if (facts.assigned.count(d.id) || facts.has_atomic || facts.has_alloc || facts.statements > 40) return {};
  if (auto carried = carried_plan(f, d, facts, body)) return carried;
  Jam j;
  for (const ir::StmtPtr& s : body) {
    if (auto* fn = ir::as<ir::For>(s)) {
      if (j.loop || fn->itervars.size() != 1) return {};
      j.loop = fn;
      j.inside = fn->body;
      continue;
    }
    auto* a = ir::as<ir::Assign>(s);
    if (!a || a->targets.size() != 1 || !pure(a->targets[0]) || !pure(a->value)) return {};
    if (!j.loop && a->targets[0]->kind != Kind::Name) return {};
    (j.loop ? j.after : j.before).push_back(s);
  }
  if (!j.loop || j.inside.empty()) return {};
  for (const ir::StmtPtr& s : j.inside) {
    auto* a = ir::as<ir::Assign>(s);
    if (!a || a->targets.size() != 1 || a->targets[0]->kind != Kind::Name || !pure(a->targets[0]) || !pure(a->value))
      return {};
  }
  const ir::SymbolId k = j.loop->itervars[0];
  if (!same_for_all(*j.loop, d.id, facts)) return {};
  // Assigned scalars are private to an iteration of the outer loop; some accumulate the results of the inner loop.
  for (ir::SymbolId id : facts.assigned)
    if (id != k) j.scalars.push_back(id);
  for (ir::SymbolId id : j.scalars) {
    const ir::Type& t = slot(f, id).type;
    if (!t.is_scalar() || t.complex) return {};
  }
  for (ir::SymbolId id : ir::read_before_assigned(body, f.source))
    if (id == k || std::find(j.scalars.begin(), j.scalars.end(), id) != j.scalars.end()) return {};
  const LoopInfo inner = loop_info(j.inside);
  int gathering = 0;
  bool single = false;
  for (ir::SymbolId id : ir::read_before_assigned(j.inside, f.source)) {
    if (id == k || !inner.assigned.count(id)) continue;
    ++gathering;
    single = single || slot(f, id).type.elem == Elem::Float32;
  }
  if (gathering == 0 || gathering > 4 || inner.assigned.count(k)) return {};

  // Stores come after the inner loop, into arrays that nothing before them reads.
  std::set<ir::SymbolId> arrays;
  auto note = [&](const ir::Expr& e) {
    auto* i = ir::as<ir::Index>(&e);
    if (!i) return;
    arrays.insert(i->array);
    j.accesses.push_back(i);
  };
  bool stored_read = false;
  for (const ir::Body* b : {&j.before, &j.inside})
    ir::walk_exprs(*b, [&](const ir::Expr& e) {
      if (auto* i = ir::as<ir::Index>(&e)) stored_read = stored_read || facts.stored.count(i->array);
    });
  if (stored_read) return {};
  ir::walk_exprs(body, note);
  ir::walk_exprs(j.inside, [&](const ir::Expr& e) {
    if (auto* i = ir::as<ir::Index>(&e)) j.read_inside.insert(i);
  });
  for (const ir::Index* i : j.accesses) {
    const Slot& s = slot(f, i->array);
    if (s.array == none || !all_scalar(f, *i) || static_cast<int>(i->subscripts.size()) != s.type.rank) return {};
    if (!facts.stored.empty() && arrays.size() > 1 && (!f.facts.alias.flag || !f.facts.alias.sets.count(i->array)))
      return {};
  }
  if (j.accesses.empty()) return {};
  j.lanes = (single ? 8 : 4) * (gathering == 1 && !heavy(j.inside) ? 2 : 1);
  return j;
}

// Whether every access is within its array at the corners of j x k: both loops' first and last values.
static ExprP jam_guard(Lowering& f, Jam& jam, const LoopDim& outer, const LoopDim& inner, const LoopInfo& facts) {
  ExprP one = f.x.int_const(1);
  auto last_of = [&](const LoopDim& d) {
    return f.out.keep(f.x.add(d.int_start, f.x.mul(f.x.sub(d.count, one), d.int_step)), "last");
  };
  const Restore ints(f.facts.ints);
  LoopInfo fixed = facts;
  fixed.assigned.erase(inner.id);
  f.facts.ints[outer.id] = outer.int_start;
  f.facts.ints[inner.id] = inner.int_start;
  struct Check {
    const ir::Index* index;
    size_t axis;
    int64_t by_outer, by_inner;
  };
  std::vector<Check> checks;
  bool lanes_adjacent = false, inner_adjacent = false, affine = true;
  for (const ir::Index* i : jam.accesses)
    for (size_t axis = 0; axis < i->subscripts.size(); ++axis) {
      AffineSubscript by_outer(outer.id, true, fixed, f.facts.ints, f.source.symbols),
          by_inner(inner.id, true, fixed, f.facts.ints, f.source.symbols);
      auto a = by_outer.coefficient(*i->subscripts[axis].value), b = by_inner.coefficient(*i->subscripts[axis].value);
      if (!a || !b || !by_outer.floats.empty() || !by_inner.floats.empty()) {
        affine = false;
        break;
      }
      checks.push_back({i, axis, *a, *b});
      if (!jam.read_inside.count(i)) continue;
      const bool column_major = slot(f, i->array).type.layout == ir::Layout::ColMajor;
      const bool fastest = column_major ? axis == 0 : axis + 1 == i->subscripts.size();
      if (fastest && *a) lanes_adjacent = true;
      if (fastest && *b) inner_adjacent = true;
    }
  ExprP guard = nullptr;
  if (affine) {
    int64_t by_outer = 0, by_inner = 0;
    for (const Check& c : checks) {
      by_outer = std::max<int64_t>(by_outer, std::llabs(c.by_outer));
      by_inner = std::max<int64_t>(by_inner, std::llabs(c.by_inner));
    }
    guard = f.x.both(goes_straight(f.out, outer, by_outer, 2), goes_straight(f.out, inner, by_inner, 2));
    ExprP outer_last = last_of(outer), inner_last = last_of(inner);
    std::vector<std::pair<ExprP, ExprP>> done;
    auto require = [&](ExprP low, ExprP high) {  // low < high or low <= high - 1, once each
      for (const auto& [l, h] : done)
        if (same(l, low) && same(h, high)) return;
      done.emplace_back(low, high);
      guard = f.x.both(guard, f.x.lt(low, high));
    };
    for (const Check& c : checks) {
      const ir::Subscript& s = c.index->subscripts[c.axis];
      auto corner = [&](bool largest) {
        const bool outer_up = (c.by_outer > 0) == (outer.int_step->ival > 0);
        const bool inner_up = (c.by_inner > 0) == (inner.int_step->ival > 0);
        f.facts.ints[outer.id] = c.by_outer == 0 || outer_up != largest ? outer.int_start : outer_last;
        f.facts.ints[inner.id] = c.by_inner == 0 || inner_up != largest ? inner.int_start : inner_last;
        ExprP p = int_form(f, *s.value);
        return p ? f.x.sub(p, f.x.int_const(f.conv.indexing)) : nullptr;
      };
      ExprP low = corner(false), high = corner(true);
      if (!low || !high) {
        guard = nullptr;
        break;
      }
      require(f.x.int_const(-1), low);
      require(high, f.out.get(f.out.array(slot(f, c.index->array).array).extent[c.axis]));
    }
  }
  jam.along = inner_adjacent && !lanes_adjacent;
  if (jam.along) jam.lanes = 4;
  if (guard && f.facts.alias.flag && !facts.stored.empty()) guard = f.x.both(f.facts.alias.flag, guard);
  return guard;
}

bool jam(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body,
         const std::function<void()>& as_written) {
  std::optional<Jam> plan = jam_plan(f, d, facts, body);
  if (!plan) return false;
  // The inner domain is invariant in the outer loop, so that it can be evaluated before it.
  std::vector<LoopDim> inner_dims = loop_dims(f, plan->loop->itervars, plan->loop->domain);
  const LoopDim& inner = inner_dims[0];
  if (!inner.integral || inner.int_step->kind != Expr::Kind::IntConst || inner.int_step->ival == 0) return false;
  if (plan->carried && !carried_order(*plan, d, inner)) return false;
  ExprP guard = jam_guard(f, *plan, d, inner, facts);
  if (!guard || is_false(guard)) return false;
  ExprP behind = f.x.int_const((plan->lanes - 1) * plan->skew);
  if (plan->skew > 0) guard = f.x.both(f.x.le(behind, inner.count), guard);

  // An inner loop with a small constant trip count is unrolled by the backend, which then vectorises the outer loop.
  if (!plan->carried && inner.count->kind == Expr::Kind::IntConst && inner.count->ival <= few_iterations)
    plan->lanes = 1;

  struct Lane {
    std::map<ir::SymbolId, Slot> slots;
    ExprP outer_int = nullptr;
  };
  auto run = [&](int lanes, ExprP block) {
    std::vector<Lane> lane(static_cast<size_t>(lanes));
    std::vector<ir::SymbolId> own = plan->scalars;
    own.push_back(d.id);
    const OwnSlots slots(f, own);
    for (size_t l = 0; l < lane.size(); ++l)
      for (ir::SymbolId id : own)
        lane[l].slots[id] =
            l + 1 == lane.size() ? slots.outside(id) : new_slot(f.out, name_of(f, id), slots.outside(id).type);
    // The last lane uses the variables themselves, so that they have the values of the last iteration afterwards.
    auto one = [&](int64_t l, const ir::Body& b, bool start) {
      Lane& own_lane = lane[static_cast<size_t>(l)];
      for (const auto& [id, s] : own_lane.slots) f.vars.slots[id] = s;
      if (start) {
        loop_variable(f, d, f.x.add(f.x.mul(block, f.x.int_const(lanes)), f.x.int_const(l)), false);
        auto it = f.facts.ints.find(d.id);
        own_lane.outer_int = it == f.facts.ints.end() ? nullptr : it->second;
      }
      f.facts.ints.erase(d.id);
      if (own_lane.outer_int) f.facts.ints[d.id] = own_lane.outer_int;
      const Restore unique(f.facts.unique);
      lower::body(f, b);
    };
    auto each = [&](const ir::Body& b, bool start) {
      for (int64_t l = 0; l < lanes; ++l) one(l, b, start);
    };
    const int64_t skew = lanes > 1 ? plan->skew : 0;
    // Iterations [low, high) of the inner loop; `single`: of this lane only, else of all, each delayed by `skew`.
    auto inner_loop = [&](ExprP low, ExprP high, std::optional<int64_t> single) {
      VarId k = f.out.new_var(name_of(f, inner.id) + ".k", Scalar::Int64);
      Block inside = f.out.collect([&] {
        if (skew == 0 || single) loop_variable(f, inner, f.out.get(k), false);
        for (int64_t l = single.value_or(0); l < (single ? *single + 1 : lanes); ++l) {
          if (skew > 0 && !single) loop_variable(f, inner, f.x.sub(f.out.get(k), f.x.int_const(l * skew)), false);
          one(l, plan->inside, false);
        }
      });
      CountedLoop loop{k, low, high, std::move(inside)};
      loop.across = lanes > 1 && !plan->along;
      loop.fallback = single.has_value();
      f.out.emit(std::move(loop));
    };
    each(plan->before, true);
    for (int64_t l = 0; skew > 0 && l + 1 < lanes; ++l)
      inner_loop(f.x.int_const(0), f.x.int_const((lanes - 1 - l) * skew), l);
    inner_loop(f.x.int_const((lanes - 1) * skew), inner.count, {});
    for (int64_t l = 1; skew > 0 && l < lanes; ++l)
      inner_loop(f.x.sub(inner.count, f.x.int_const(l * skew)), inner.count, l);
    each(plan->after, false);
    f.facts.ints.erase(d.id);
    f.facts.ints.erase(inner.id);
  };
  auto copy = [&] {
    const Restore ints(f.facts.ints);
    const Restore unchecked(f.facts.unchecked);
    const Restore sets(f.out.alias_sets, {});
    for (const ir::Index* i : plan->accesses)
      for (const ir::Subscript& s : i->subscripts) f.facts.unchecked.insert(&s);
    if (f.facts.alias.flag && !facts.stored.empty()) f.out.alias_sets = alias_sets(f);
    ExprP lanes = f.x.int_const(plan->lanes), done = f.x.int_const(0);
    if (plan->lanes > 1) {
      ExprP blocks = f.out.keep(f.x.binary(Op::Div, d.count, lanes), "blocks");
      VarId b = f.out.new_var(name_of(f, d.id) + ".block", Scalar::Int64);
      f.out.emit(CountedLoop{b, f.x.int_const(0), blocks, f.out.collect([&] { run(plan->lanes, f.out.get(b)); })});
      done = f.out.keep(f.x.mul(blocks, lanes), "rest");
    }
    VarId rest = f.out.new_var(name_of(f, d.id) + ".k", Scalar::Int64);
    f.out.emit(CountedLoop{rest, done, d.count, f.out.collect([&] { run(1, f.out.get(rest)); })});
  };
  Block fast = f.out.collect(copy);
  if (ExprP pass = take_out_checks(f.out, fast)) guard = f.x.both(guard, pass);
  if (is_true(guard)) {
    f.out.append(std::move(fast));
    return true;
  }
  Block slow = f.out.collect([&] {
    const Restore ints(f.facts.ints);
    const Restore plain(f.loops.plain, true);
    as_written();
  });
  f.out.emit(If{f.x.not_(guard), std::move(slow), std::move(fast), true});
  return true;
}

}  // namespace vr::lower
