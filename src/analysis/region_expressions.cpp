// Rules of region detection for expressions on arrays, and for assignments.
#include "analysis/region_rules.hpp"

#include "ir/library.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::analysis {

using namespace ir;

bool RegionRules::evaluate(const ExprPtr& e, const Loops& loops, CriticalSets& sets) const {
  auto children = [&](const Expr& x) {
    bool ok = true;
    for_each_child(x, {[&](const ExprPtr& c) { ok = ok && evaluate(c, loops, sets); }, {}});
    return ok;
  };
  auto array = [&](SymbolId id) {
    if (function_.symbols.at(id).type.is_array()) sets.shape.insert(id);
    return true;
  };
  switch (e->kind) {
    case Kind::Name:
      return array(static_cast<const Name&>(*e).id);
    case Kind::RealExpr:
      return array(static_cast<const RealExpr&>(*e).id);
    case Kind::ImagExpr:
      return array(static_cast<const ImagExpr&>(*e).id);
    case Kind::DimVec:
      return array(static_cast<const DimVec&>(*e).array);
    case Kind::Alloc:
      return extents(static_cast<const Alloc&>(*e).args, 0, loops, sets);
    case Kind::LibCall:
      return library(static_cast<const LibCall&>(*e), loops, sets);
    case Kind::Index: {
      const auto& i = static_cast<const Index&>(*e);
      return one_element(i) ? element(i, loops, sets, false) : slice(i, loops, sets, false);
    }
    case Kind::Xchange: {
      const auto& x = static_cast<const Xchange&>(*e);
      return element(Index(x.type, x.array, x.subscripts), loops, sets, false) &&
             std::all_of(x.args.begin(), x.args.end(), [&](const ExprPtr& a) { return evaluate(a, loops, sets); });
    }
    case Kind::FnCall:
    case Kind::FnHandle:
    case Kind::TupleIndex:
      return false;
    default:
      return children(*e);
  }
}

// A subscript that selects one element. `must`: it belongs to a store that may grow the array, which can be excluded
// for affine subscripts only.
bool RegionRules::element(const Index& i, const Loops& loops, CriticalSets& sets, bool must) const {
  const bool looked_at = loops.empty() ? must : loops.back().affine;
  bool any = false;
  for (const Subscript& s : i.subscripts) {
    if (!evaluate(s.value, loops, sets)) return false;
    const bool known = looked_at && affine(*s.value, loops, sets);
    if (must && !known) return false;
    any = any || known;
  }
  if (any) sets.shape.insert(i.array);
  return true;
}

bool RegionRules::slice(const Index& i, const Loops& loops, CriticalSets& sets, bool store) const {
  const bool grows = store && may_grow(i);
  sets.shape.insert(i.array);
  for (const Subscript& s : i.subscripts) {
    if (auto* r = as<Range>(s.value)) {
      for (const ExprPtr& part : {r->start, r->step, r->stop}) {
        if (!part) continue;
        if (!evaluate(part, loops, sets)) return false;
        if (!needs(*part, loops, sets) && (!store || grows)) return false;
      }
    } else if (s.value->type.is_array()) {
      if (grows || !selector(s.value, loops, sets, store)) return false;
    } else {
      if (!evaluate(s.value, loops, sets)) return false;
      const bool looked_at = loops.empty() ? grows : loops.back().affine;
      const bool known = looked_at && affine(*s.value, loops, sets);
      if (grows && !known) return false;
    }
  }
  return true;
}

bool RegionRules::selector(const ExprPtr& e, const Loops& loops, CriticalSets& sets, bool store) const {
  if (!evaluate(e, loops, sets)) return false;
  const bool mask = e->type.elem == Elem::Bool;
  if (auto* n = as<Name>(e); n && may_be_value(n->id) && keeps_elements(n->id, loops)) {
    sets.value.insert(n->id);
    return true;
  }
  return !mask || store;  // a store through a mask changes no shape
}

bool RegionRules::extents(const std::vector<ExprPtr>& args, size_t from, const Loops& loops, CriticalSets& sets) const {
  for (size_t k = from; k < args.size(); ++k) {
    const ExprPtr& a = args[k];
    if (!evaluate(a, loops, sets)) return false;
    if (a->type.is_scalar()) {
      if (!needs(*a, loops, sets)) return false;
    } else if (auto* n = as<Name>(a)) {
      if (!may_be_value(n->id) || !keeps_elements(n->id, loops)) return false;
      sets.value.insert(n->id);
    } else {
      const LibFunction* f = library_function(a);
      const bool shape = f && f->rule == LibRule::Sizes && static_cast<const LibCall&>(*a).args.size() == 1;
      if (!shape && a->kind != Kind::DimVec) return false;
    }
  }
  return true;
}

bool RegionRules::library(const LibCall& c, const Loops& loops, CriticalSets& sets) const {
  const LibFunction* f = find_library(c.func);
  if (!f) return false;
  for (const ExprPtr& a : c.args)
    if (!evaluate(a, loops, sets)) return false;
  if (f->sort == LibSort::Make) return extents(c.args, f->rule == LibRule::Linspace ? 2 : 0, loops, sets);
  if (f->rule == LibRule::Reshaped) return extents(c.args, 1, loops, sets);
  if (f->rule == LibRule::Found) {
    auto* n = as<Name>(c.args[0]);
    if (!n || !n->type.is_array() || !may_be_value(n->id) || !keeps_elements(n->id, loops)) return false;
    sets.value.insert(n->id);
  }
  // The reduced axis determines the result's shape: it must be known.
  if (f->sort == LibSort::Reduce && c.args.size() == 2 && c.type.is_array()) return needs(*c.args[1], loops, sets);
  return true;
}

// ---------------------------------------------------------------- assignments

struct RegionRules::Pending {
  const CriticalSets& after;
  CriticalSets removed, added;
};

// `value` is null if the value has been evaluated already, as one of several results.
bool RegionRules::target(const ExprPtr& t, const ExprPtr& value, const Loops& loops, Pending& p) const {
  if (value && !evaluate(value, loops, p.added)) return false;
  if (auto* n = as<Name>(t)) {
    if (n->type.is_array()) p.removed.shape.insert(n->id);
    if (!p.after.value.count(n->id)) return true;
    p.removed.value.insert(n->id);
    if (!n->type.is_array()) {
      CriticalSets from;
      if (!value) return false;
      if (!determined(*value, from)) {
        auto* i = as<Index>(value);
        from = {};
        if (!i || !element_value(*i, loops, from)) return false;
      }
      p.added.shape.insert(from.shape.begin(), from.shape.end());
      p.added.value.insert(from.value.begin(), from.value.end());
      return true;
    }
    if (auto* from = as<Name>(value); from && from->type.is_array() && may_be_value(from->id)) {
      p.added.value.insert(from->id);
      return true;
    }
    return n->type.elem != Elem::Bool || (value && value->kind == Kind::DimVec);
  }
  auto* i = as<Index>(t);
  if (!i) return false;
  for (SymbolId id : p.after.value) {
    const Type& type = function_.symbols.at(id).type;
    if (!type.is_array() || !overlaps(i->array, id)) continue;
    if (type.elem == Elem::Bool) return false;
    p.removed.value.insert(id);
  }
  return one_element(*i) && (!value || value->type.is_scalar()) ? element(*i, loops, p.added, may_grow(*i))
                                                                : slice(*i, loops, p.added, true);
}

bool RegionRules::assign(const Assign& a, const Loops& loops, CriticalSets& sets) const {
  std::vector<ExprPtr> targets = a.targets;
  if (targets.size() == 1)
    if (auto* t = as<TupleExpr>(targets[0])) targets = t->elems;
  Pending p{sets, {}, {}};
  const bool one = targets.size() == 1 && a.targets[0]->kind != Kind::TupleExpr;
  auto* values = as<TupleExpr>(a.value);
  const bool pairs = values && values->elems.size() == targets.size();
  if (!one && !pairs && !evaluate(a.value, loops, p.added)) return false;
  for (size_t k = 0; k < targets.size(); ++k)
    if (!target(targets[k], one ? a.value : pairs ? values->elems[k] : nullptr, loops, p)) return false;
  for (SymbolId id : p.removed.shape) sets.shape.erase(id);
  for (SymbolId id : p.removed.value) sets.value.erase(id);
  sets.shape.insert(p.added.shape.begin(), p.added.shape.end());
  sets.value.insert(p.added.value.begin(), p.added.value.end());
  return true;
}

// ---------------------------------------------------------------- what is interesting

namespace {

int vector_operations(const Expr& e) {
  if (auto* c = as<LibCall>(&e)) {
    const LibFunction* f = find_library(c->func);
    const bool none = f && (f->asks_shape() || f->rule == LibRule::Filled);
    const bool arrays = std::any_of(c->args.begin(), c->args.end(), [](auto& a) { return a->type.is_array(); });
    return (arrays || c->type.is_array()) && !none;
  }
  if (!e.type.is_array()) return 0;
  switch (e.kind) {
    case Kind::Name:
    case Kind::Alloc:
    case Kind::DimVec:
      return 0;
    case Kind::Index: {
      const auto& subs = static_cast<const Index&>(e).subscripts;
      return std::any_of(subs.begin(), subs.end(), [](auto& s) { return s.value->type.is_array(); });
    }
    default:
      return 1;
  }
}

}  // namespace

bool interesting(const Body& statements) {
  int vectors = 0;
  bool loops = false;
  walk_exprs(statements, [&](const Expr& e) { vectors += vector_operations(e); });
  walk_stmts(statements, [&](const Stmt& s) {
    if (auto* a = as<Assign>(&s))
      for (const ExprPtr& t : a->targets)
        if (auto* i = as<Index>(t)) vectors += !one_element(*i);
    if (s.kind != Kind::For && s.kind != Kind::PFor && s.kind != Kind::While) return;
    auto look = [&](const Expr& e) {
      loops = loops || e.kind == Kind::Index || e.kind == Kind::Xchange || vector_operations(e) > 0;
    };
    for_each_child(
        s, {[&](const ExprPtr& e) { walk_exprs(e, look); }, [&](const StmtPtr& c) { walk_exprs(Body{c}, look); }});
  });
  return loops || vectors >= 2;
}

}  // namespace vr::analysis
