// Arrays that need no storage: fusion across statements (past thesis 5.7.2).
//
//   D = A + B            no loop; the shapes are checked here
//   C = 2 * D            one loop: C[i] = 2 * (A[i] + B[i])
// An elementwise value is computed in the statement that reads it if that is a later statement of the same list, the
// last reader, and reads it element by element. Statements in between must not change what the value reads. Faults stay
// where they are written: shapes are compared at the assignment, and values whose elements can fault are not deferred.
#include "lower/defer.hpp"

#include "ir/library.hpp"
#include "ir/sharing.hpp"
#include "ir/typing.hpp"
#include "lower/array.hpp"
#include "lower/index.hpp"
#include "lower/ownership.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr size_t most_between = 8;
constexpr int most_nodes = 64;

bool elementwise_call(const ir::LibCall& c) {
  const ir::LibFunction* f = ir::library_function(&c);
  return f && ir::is_elementwise(f->sort);
}

bool elementwise_node(const ir::Expr& e) {
  if (auto* call = ir::as<ir::LibCall>(&e)) return elementwise_call(*call);
  return e.kind == ir::Kind::Div || ir::is_operator(e.kind);
}

/// An elementwise expression of arrays, slices and numbers in which all arrays have the same rank.
struct Value {
  std::set<ir::SymbolId> reads;
  int nodes = 0;

  bool take(const ir::ExprPtr& e, int rank) {
    if (++nodes > most_nodes) return false;
    if (e->type.is_scalar()) {
      bool plain = true;
      ir::walk_exprs(e, [&](const ir::Expr& x) {
        if (auto id = ir::named_variable(x)) reads.insert(*id);
        plain = plain && x.type.is_scalar() && x.kind != ir::Kind::FnCall && x.kind != ir::Kind::Xchange;
      });
      return plain;
    }
    if (!e->type.is_array() || e->type.rank != rank) return false;
    if (auto* n = ir::as<ir::Name>(e)) return reads.insert(n->id), true;
    if (auto* i = ir::as<ir::Index>(e)) return take_slice(*i);
    if (!elementwise_node(*e)) return false;
    bool all = true;
    ir::for_each_child(*e, {[&](const ir::ExprPtr& x) { all = all && take(x, rank); }, nullptr});
    return all;
  }
  /// Subscripts must be numbers and ranges: then the slice is a view, and is checked at the deferred assignment.
  bool take_slice(const ir::Index& i) {
    reads.insert(i.array);
    bool all = true;
    auto number = [&](const ir::ExprPtr& e) { all = all && (!e || (e->type.is_scalar() && take(e, 0))); };
    for (const ir::Subscript& s : i.subscripts) {
      auto* r = ir::as<ir::Range>(s.value);
      if (!r) number(s.value);
      if (r) number(r->start), number(r->step), number(r->stop);
    }
    return all;
  }
};

bool reduces(const ir::Expr& e) {
  const ir::LibFunction* f = ir::library_function(&e);
  return f && f->sort == ir::LibSort::Reduce;
}

/// How an expression reads an array variable.
struct Reads {
  ir::SymbolId id;
  int rank;
  int count = 0;       ///< element by element
  bool other = false;  ///< in another way

  /// Whether elements of `e` are computed from elements of the variable.
  bool in(const ir::ExprPtr& e) {
    if (auto* n = ir::as<ir::Name>(e); n && n->id == id) return ++count > 0;
    other = other || ir::named_variable(*e) == id;
    bool from = false;
    ir::for_each_child(*e, {[&](const ir::ExprPtr& x) { from = in(x) || from; }, nullptr});
    if (!from || reduces(*e)) return false;
    other = other || !elementwise_node(*e) || !e->type.is_array() || e->type.rank != rank;
    return true;
  }
};

}  // namespace

// The statement up to which the assignment b[k] can be deferred; nullopt: it cannot.
std::optional<Deferral> deferral(Lowering& f, const ir::Body& b, size_t k) {
  if (f.out.fn.kind == Function::Kind::Kernel || f.section.inside || f.section.in_function || f.m.options.places)
    return {};
  auto* a = ir::as<ir::Assign>(b[k]);
  auto* target = a && a->targets.size() == 1 ? ir::as<ir::Name>(a->targets[0]) : nullptr;
  if (!target || !a->value->type.is_array() || !elementwise_node(*a->value)) return {};
  const ir::SymbolId id = target->id;
  const ir::Type &to = f.source.symbols.at(id).type, &from = a->value->type;
  if (!to.is_array() || to.elem != from.elem || to.complex != from.complex || to.rank != from.rank) return {};
  Value value;
  if (!value.take(a->value, to.rank)) return {};
  for (const auto& [other, d] : f.deferred.arrays)
    if (value.reads.count(other)) value.reads.insert(d.until.reads.begin(), d.until.reads.end());
  if (value.reads.count(id)) return {};
  if (!f.uses.last) f.uses.last = std::make_shared<LastUses>(f.source);
  for (size_t j = k + 1; j < b.size() && j <= k + most_between; ++j) {
    auto* next = ir::as<ir::Assign>(b[j]);
    if (!next || next->targets.size() != 1 || next->value->type.is_tuple()) return {};
    const LoopInfo facts = loop_info({b[j]});
    if (!facts.calls.empty() || facts.has_atomic) return {};
    auto* whole = ir::as<ir::Name>(next->targets[0]);
    const int mentions = f.uses.last->mentions(*next, id);
    if (mentions > 0) {
      Reads reads{id, to.rank};
      reads.in(next->value);
      // The value is computed at each use. LLVM may not recognise that these computations are equal, so the expression
      // has to be small.
      const bool dear = mentions > 1 && value.nodes > 8;
      if (reads.other || reads.count != mentions || dear || next->value->kind == ir::Kind::Name) return {};
      auto* slice = ir::as<ir::Index>(next->targets[0]);
      // A store to a slice of an array that the value reads needs a temporary.
      if (slice ? all_scalar(f, *slice) || value.reads.count(slice->array) : !whole) return {};
      if (!(whole && whole->id == id) && !f.uses.last->ends_with(*next, id)) return {};
      return Deferral{next, std::move(value.reads)};
    }
    // Statements in between must not change what the value reads, nor make another variable share it.
    if (!whole || whole->id == id || value.reads.count(whole->id) || next->value->kind == ir::Kind::Name ||
        (next->value->kind == ir::Kind::Index && next->value->type.is_array()))
      return {};
  }
  return {};
}

void defer(Lowering& f, const ir::Assign& a, Deferral until) {
  const ir::SymbolId id = static_cast<const ir::Name&>(*a.targets[0]).id;
  const size_t temps = f.own.temps.size();
  ArrayGen g = gen(f, a.value);
  f.facts.ints.erase(id);
  f.facts.unique.erase(id);
  if (g.faults || g.costly || f.own.temps.size() != temps) {
    // The value needs temporaries or can fault after all: the array is computed at its own assignment.
    move_array(f, slot(f, id).array, materialise(f, g, slot(f, id).type.layout, where_of(f, id)).array);
    return;
  }
  release(f, slot(f, id).array);
  f.deferred.arrays.insert_or_assign(id, Deferred{std::move(g), std::move(until)});
}

}  // namespace vr::lower
