// Unroll and jam of loops whose inner loop reads what its previous iterations have stored (past the thesis).
//
//   for i { for j { F[j,i] = ... F[j-1,i] ... F[j,i-1] ... F[j,i+1] ... } }
// (Gauss-Seidel sweeps, linear recurrences) cannot be vectorised, and each iteration waits for the previous one. Four
// iterations of i together give the processor four such dependence chains, which it executes at the same time:
//   for ii by 4 { for j { F[j,ii] = ...; F[j,ii+1] = ...; F[j,ii+2] = ...; F[j,ii+3] = ... } }
// All dependences are preserved: distances between accesses to one array are constants (l iterations of the outer loop,
// m of the inner one), and m >= 0 wherever l > 0. Where m < 0, as in F[j+1,i-1], each lane runs `skew` iterations
// behind the previous one (a wavefront), with m + skew * l >= 0; iterations in which not all lanes are active run
// before and after.
#include "lower/jam.hpp"

#include "ir/sharing.hpp"
#include "lower/index.hpp"
#include "lower/variables.hpp"

#include <algorithm>
#include <cmath>

namespace vr::lower {

using ir::Kind;

namespace {

// constant + sum of coefficients times variables: a subscript that AffineSubscript has found to be affine.
struct Linear {
  std::map<ir::SymbolId, int64_t> terms;
  int64_t constant = 0;
  bool known = true;
  void add(const ir::Expr& e, int64_t factor) {
    if (auto* c = ir::as<ir::IntConst>(&e)) {
      constant += factor * c->value;
    } else if (auto* c = ir::as<ir::FloatConst>(&e)) {
      known = known && c->value == std::floor(c->value) && std::fabs(c->value) < 1e9;
      if (known) constant += factor * static_cast<int64_t>(c->value);
    } else if (auto* n = ir::as<ir::Name>(&e)) {
      if ((terms[n->id] += factor) == 0) terms.erase(n->id);
    } else if (auto* b = ir::as<ir::Plus>(&e)) {
      add(*b->lhs, factor);
      add(*b->rhs, factor);
    } else if (auto* b = ir::as<ir::Minus>(&e)) {
      add(*b->lhs, factor);
      add(*b->rhs, -factor);
    } else if (auto* u = ir::as<ir::Negate>(&e)) {
      add(*u->operand, -factor);
    } else if (auto* u = ir::as<ir::Cast>(&e)) {
      add(*u->operand, factor);
    } else {
      known = false;
    }
  }
};

// How many iterations lie between two accesses to the same element.
struct Distance {
  bool none = false, known = false;
  int64_t outer = 0, inner = 0;
};

Distance distance(const ir::Index& from, const ir::Index& to, const std::pair<ir::SymbolId, int64_t>& outer,
                  const std::pair<ir::SymbolId, int64_t>& inner) {
  Distance d;
  std::optional<int64_t> l, m;
  for (size_t q = 0; q < from.subscripts.size(); ++q) {
    Linear a, b;
    a.add(*from.subscripts[q].value, 1);
    b.add(*to.subscripts[q].value, 1);
    if (!a.known || !b.known || a.terms != b.terms) return d;
    auto step = [&](const auto& loop) {
      auto it = a.terms.find(loop.first);
      return it == a.terms.end() ? 0 : it->second * loop.second;
    };
    const int64_t by_outer = step(outer), by_inner = step(inner), apart = a.constant - b.constant;
    if (by_outer != 0 && by_inner != 0) return d;
    if (by_outer == 0 && by_inner == 0) {
      d.none = d.none || apart != 0;
      continue;
    }
    const int64_t by = by_outer != 0 ? by_outer : by_inner;
    auto& iterations = by_outer != 0 ? l : m;
    d.none = d.none || apart % by != 0 || (iterations && *iterations != apart / by);
    iterations = apart / by;
  }
  d.known = d.none || (l && m);
  if (l && m) d.outer = *l, d.inner = *m;
  return d;
}

}  // namespace

// A perfect nest of two loops whose body assigns scalars of its own and stores to arrays that it reads.
std::optional<Jam> carried_plan(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body) {
  constexpr size_t most = 32;
  if (body.size() != 1 || facts.statements > 12 || facts.stored.empty()) return {};
  Jam j;
  j.carried = true;
  j.loop = ir::as<ir::For>(body[0]);
  if (!j.loop || j.loop->itervars.size() != 1 || !same_for_all(*j.loop, d.id, facts)) return {};
  j.inside = j.loop->body;
  for (const ir::StmtPtr& s : j.inside) {
    auto* a = ir::as<ir::Assign>(s);
    if (!a || a->targets.size() != 1 || !pure(a->targets[0]) || !pure(a->value)) return {};
  }
  const ir::SymbolId k = j.loop->itervars[0];
  const LoopInfo inner = loop_info(j.inside);
  if (inner.assigned.count(k)) return {};
  for (ir::SymbolId id : inner.assigned) {
    if (!slot(f, id).type.is_scalar() || slot(f, id).type.complex) return {};
    j.scalars.push_back(id);
  }
  for (ir::SymbolId id : ir::read_before_assigned(j.inside, f.source))
    if (inner.assigned.count(id)) return {};
  std::set<ir::SymbolId> arrays;
  bool reads_stored = false;
  ir::walk_exprs(j.inside, [&](const ir::Expr& e) {
    if (auto* i = ir::as<ir::Index>(&e)) {
      arrays.insert(i->array);
      j.accesses.push_back(i);
    }
  });
  for (const ir::StmtPtr& s : j.inside)
    ir::walk_exprs(ir::as<ir::Assign>(s)->value, [&](const ir::Expr& e) {
      if (auto* i = ir::as<ir::Index>(&e)) reads_stored = reads_stored || facts.stored.count(i->array);
    });
  if (!reads_stored || j.accesses.size() > most) return {};
  for (const ir::Index* i : j.accesses) {
    const Slot& s = slot(f, i->array);
    if (s.array == none || !all_scalar(f, *i) || static_cast<int>(i->subscripts.size()) != s.type.rank) return {};
    // Different subscripts of a strided array may refer to the same element.
    if (facts.stored.count(i->array) && s.type.layout == ir::Layout::Strided) return {};
    if (arrays.size() > 1 && (!f.facts.alias.flag || !f.facts.alias.sets.count(i->array))) return {};
  }
  return j;
}

// Whether the lanes may run together, with which skew, and whether that pays: it does if a value is passed from one
// iteration of the inner loop to the next.
bool carried_order(Jam& jam, const LoopDim& outer, const LoopDim& inner) {
  constexpr int64_t farthest = 4;
  const std::pair<ir::SymbolId, int64_t> by_outer(outer.id, outer.int_step->ival),
      by_inner(inner.id, inner.int_step->ival);
  std::set<const ir::Index*> late;  // reads of what one of the two previous iterations has stored
  for (const ir::StmtPtr& s : jam.inside) {
    auto* stored = ir::as<ir::Index>(ir::as<ir::Assign>(s)->targets[0]);
    if (!stored) continue;
    for (const ir::Index* other : jam.accesses) {
      if (other->array != stored->array) continue;
      Distance d = distance(*stored, *other, by_outer, by_inner);
      if (!d.known) return false;
      if (d.none) continue;
      if (d.outer == 0 && (d.inner == 1 || d.inner == 2)) late.insert(other);
      if (d.outer < 0) d.outer = -d.outer, d.inner = -d.inner;
      if (d.outer == 0 || d.outer >= jam.lanes || d.inner >= 0) continue;
      jam.skew = std::max(jam.skew, (-d.inner + d.outer - 1) / d.outer);
    }
  }
  if (jam.skew > farthest) return false;
  std::set<ir::SymbolId> waiting;
  for (const ir::StmtPtr& s : jam.inside) {
    auto* a = ir::as<ir::Assign>(s);
    bool waits = false;
    ir::walk_exprs(a->value, [&](const ir::Expr& e) {
      if (auto* n = ir::as<ir::Name>(&e)) waits = waits || waiting.count(n->id);
      if (auto* i = ir::as<ir::Index>(&e)) waits = waits || late.count(i);
    });
    if (auto* n = ir::as<ir::Name>(a->targets[0])) {
      if (waits) waiting.insert(n->id);
    } else if (waits) {
      return true;
    }
  }
  return false;
}

}  // namespace vr::lower
