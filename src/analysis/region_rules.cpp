#include "analysis/region_rules.hpp"

#include "analysis/number.hpp"
#include "ir/library.hpp"
#include "ir/sharing.hpp"
#include "ir/typing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::analysis {

using namespace ir;

namespace {

bool known_number(const Type& t) { return t.is_scalar() && !t.complex && (known_whole(t.elem) || t.elem == Elem::Float64); }
bool whole_elements(const Type& t) { return !t.complex && known_whole(t.elem); }
void join(CriticalSets& into, const CriticalSets& s) {
  into.shape.insert(s.shape.begin(), s.shape.end());
  into.value.insert(s.value.begin(), s.value.end());
}

/// For size(A, k) and similar functions: the array whose shape determines the result; otherwise null.
const Name* shape_of(const LibCall& c) {
  const LibFunction* f = find_library(c.func);
  return f && f->asks_shape() ? as<Name>(c.args[0]) : nullptr;
}

/// Whether the function, applied to integers, gives an integer that is the same in every implementation.
bool exact(const LibFunction& f) {
  switch (f.values) {
    case LibValue::Abs:
    case LibValue::Sign:
    case LibValue::Rounded:
    case LibValue::Plus:
    case LibValue::Minus:
    case LibValue::Mult:
    case LibValue::Lesser:
    case LibValue::Greater:
    case LibValue::Mod:
    case LibValue::Rem:
      return true;
    default:
      return f.rule == LibRule::Copied;
  }
}

}  // namespace

bool one_element(const Index& i) {
  return i.type.is_scalar() && std::all_of(i.subscripts.begin(), i.subscripts.end(),
                                           [](const Subscript& s) { return s.value->type.is_scalar(); });
}

// ---------------------------------------------------------------- statements that are never part of a region

bool RegionRules::refused(const Stmt& s) const {
  bool found = false;
  auto look = [&](const Expr& e) {
    if (called_name(e) || e.kind == Kind::TupleIndex) found = true;
    if (e.kind == Kind::Name && !e.type.is_numeric()) found = true;
  };
  for_each_child(s, {[&](const ExprPtr& e) { walk_exprs(e, look); }, {}});
  return found;
}

bool RegionRules::may_be_value(SymbolId id) const {
  const Type& t = function_.symbols.at(id).type;
  return t.is_array() ? whole_elements(t) : known_number(t);
}

// ---------------------------------------------------------------- variables that loops do not change

const RegionRules::LoopFacts& RegionRules::facts(const Stmt& loop) const {
  auto [it, fresh] = facts_.try_emplace(&loop);
  LoopFacts& f = it->second;
  if (!fresh) return f;
  const Body* body = nullptr;
  const std::vector<SymbolId>* own = nullptr;
  if (auto* l = as<For>(&loop)) body = &l->body, own = &l->itervars;
  if (auto* l = as<PFor>(&loop)) body = &l->body, own = &l->itervars;
  if (auto* l = as<While>(&loop)) body = &l->body;
  auto say = [&](SymbolId id, const Expr* value) { f.value[id] = f.inside.insert(id).second ? value : nullptr; };
  auto target = [&](auto& self, const ExprPtr& t, const Expr* value) -> void {
    if (auto* n = as<Name>(t)) say(n->id, value);
    if (auto* i = as<Index>(t)) f.stored.insert(i->array);
    if (auto* p = as<TupleExpr>(t))
      for (const ExprPtr& e : p->elems) self(self, e, nullptr);
  };
  walk_stmts(*body, [&](const Stmt& s) {
    if (auto* a = as<Assign>(&s))
      for (const ExprPtr& t : a->targets) target(target, t, a->targets.size() == 1 ? a->value.get() : nullptr);
    if (auto* l = as<For>(&s))
      for (SymbolId id : l->itervars) say(id, nullptr);
    if (auto* l = as<PFor>(&s))
      for (SymbolId id : l->itervars) say(id, nullptr);
  });
  walk_exprs(*body, [&](const Expr& e) {
    if (auto* x = as<Xchange>(&e)) f.stored.insert(x->array);
  });
  f.assigned = f.inside;
  if (own) f.assigned.insert(own->begin(), own->end());
  const std::vector<SymbolId> early = read_before_assigned(*body, function_);
  f.early.insert(early.begin(), early.end());
  return f;
}

// `n = A.shape[0]` assigns the same value in every iteration.
bool RegionRules::unchanged(SymbolId id, const Stmt& loop, int depth) const {
  const LoopFacts& f = facts(loop);
  if (!f.assigned.count(id)) return true;
  auto it = f.value.find(id);
  if (depth == 0 || it == f.value.end() || !it->second || f.early.count(id)) return false;
  CriticalSets from;
  return determined(*it->second, from) &&
         std::none_of(from.shape.begin(), from.shape.end(), [&](SymbolId a) { return f.assigned.count(a); }) &&
         std::all_of(from.value.begin(), from.value.end(), [&](SymbolId v) { return unchanged(v, loop, depth - 1); });
}

// Stores that may grow an array are assumed not to (6.5.2); code that specialises the region must prove that.
bool RegionRules::keeps_shape(SymbolId id, const Loops& loops) const {
  return loops.empty() || !facts(*loops.front().stmt).assigned.count(id);
}

// Under reference semantics a store to an array of the same element type may be a store to this one.
bool RegionRules::overlaps(SymbolId stored, SymbolId id) const {
  return stored == id || (conventions_.assign == AssignMode::Share &&
                          function_.symbols.at(stored).type.elem == function_.symbols.at(id).type.elem);
}
bool RegionRules::keeps_elements(SymbolId id, const Loops& loops) const {
  if (loops.empty()) return true;
  const LoopFacts& f = facts(*loops.front().stmt);
  return !f.assigned.count(id) &&
         std::none_of(f.stored.begin(), f.stored.end(), [&](SymbolId s) { return overlaps(s, id); });
}

bool RegionRules::may_grow(const Index& i) const {
  return std::any_of(i.subscripts.begin(), i.subscripts.end(),
                     [&](const Subscript& s) { return s.grow.value_or(conventions_.grow); });
}

bool RegionRules::redefines(const Body& body, const CriticalSets& sets) const {
  bool found = false;
  for (SymbolId id : assigned_variables(body)) found = found || sets.shape.count(id) || sets.value.count(id);
  walk_stmts(body, [&](const Stmt& s) {
    auto* a = as<Assign>(&s);
    if (!a) return;
    for (const ExprPtr& t : a->targets)
      if (auto* i = as<Index>(t))
        for (SymbolId id : sets.value)
          found = found || (function_.symbols.at(id).type.is_array() && overlaps(i->array, id));
  });
  return found;
}

// ---------------------------------------------------------------- numbers

bool RegionRules::determined(const Expr& e, CriticalSets& sets) const {
  if (!known_number(e.type)) return false;
  auto all = [&](const Expr& x) {
    bool ok = true;
    for_each_child(x, {[&](const ExprPtr& c) { ok = ok && determined(*c, sets); }, {}});
    return ok;
  };
  switch (e.kind) {
    case Kind::IntConst:
    case Kind::FloatConst:
      return true;
    case Kind::Name: {
      const SymbolId id = static_cast<const Name&>(e).id;
      return may_be_value(id) && (sets.value.insert(id), true);
    }
    case Kind::Dim:
      return sets.shape.insert(static_cast<const Dim&>(e).array), true;
    case Kind::Div: {
      const auto& d = static_cast<const Div&>(e);
      const bool whole = whole_elements(d.lhs->type) && whole_elements(d.rhs->type);
      return (whole || d.rhs->kind == Kind::IntConst || d.rhs->kind == Kind::FloatConst) && all(e);
    }
    case Kind::Cast:
      return all(e);
    case Kind::LibCall: {
      const auto& c = static_cast<const LibCall&>(e);
      if (const Name* a = shape_of(c)) {
        if (a->type.is_array()) sets.shape.insert(a->id);
        return c.args.size() == 1 || determined(*c.args[1], sets);
      }
      const LibFunction* f = find_library(c.func);
      return f && exact(*f) && all(e);
    }
    default:
      return is_operator(e.kind) && all(e);
  }
}

RegionRules::Form RegionRules::form(const Expr& e, const Loops& loops, CriticalSets& sets) const {
  if (!known_number(e.type)) return Form::Neither;
  auto operands = [&](const Expr& l, const Expr& r) {
    const Form a = form(l, loops, sets), b = a == Form::Neither ? a : form(r, loops, sets);
    return a == Form::Neither || b == Form::Neither ? Form::Neither : std::max(a, b);
  };
  switch (e.kind) {
    case Kind::Name: {
      const SymbolId id = static_cast<const Name&>(e).id;
      for (size_t k = loops.size(); k-- > 0;) {
        const Stmt* s = loops[k].stmt;
        auto* f = as<For>(s);
        auto* p = as<PFor>(s);
        const std::vector<SymbolId> none, &own = f ? f->itervars : p ? p->itervars : none;
        if (std::find(own.begin(), own.end(), id) == own.end()) continue;
        return loops[k].affine && !facts(*s).inside.count(id) ? Form::Affine : Form::Neither;
      }
      break;
    }
    case Kind::Plus:
      return operands(*static_cast<const Plus&>(e).lhs, *static_cast<const Plus&>(e).rhs);
    case Kind::Minus:
      return operands(*static_cast<const Minus&>(e).lhs, *static_cast<const Minus&>(e).rhs);
    case Kind::Mult: {
      const auto& m = static_cast<const Mult&>(e);
      const Form a = form(*m.lhs, loops, sets), b = form(*m.rhs, loops, sets);
      if (a == Form::Neither || b == Form::Neither || (a == Form::Affine && b == Form::Affine)) return Form::Neither;
      return std::max(a, b);
    }
    case Kind::Negate:
      return form(*static_cast<const Negate&>(e).operand, loops, sets);
    case Kind::Cast:
      return form(*static_cast<const Cast&>(e).operand, loops, sets);
    default:
      break;
  }
  // A coefficient: any number that is invariant in the region's loops.
  CriticalSets from;
  if (!determined(e, from)) return Form::Neither;
  for (SymbolId a : from.shape)
    if (!keeps_shape(a, loops)) return Form::Neither;
  for (SymbolId v : from.value) {
    constexpr int chain = 8;  // longest chain of assignments that is followed
    if (!loops.empty() && !unchanged(v, *loops.front().stmt, chain)) return Form::Neither;
  }
  join(sets, from);
  return Form::Constant;
}

bool RegionRules::affine(const Expr& e, const Loops& loops, CriticalSets& sets) const {
  CriticalSets from;
  if (form(e, loops, from) == Form::Neither) return false;
  join(sets, from);
  return true;
}

// Numbers that determine a shape, as t in: t = e; zeros(t).
bool RegionRules::needs(const Expr& e, const Loops& loops, CriticalSets& sets) const {
  if (affine(e, loops, sets)) return true;
  CriticalSets from;
  if (!determined(e, from)) {
    auto* i = as<Index>(&e);
    from = {};
    if (!i || !element_value(*i, loops, from)) return false;
  }
  join(sets, from);
  return true;
}

bool RegionRules::element_value(const Index& i, const Loops& loops, CriticalSets& sets) const {
  if (!one_element(i) || !may_be_value(i.array) || !keeps_elements(i.array, loops)) return false;
  if (!loops.empty() && !loops.back().affine) return false;
  sets.shape.insert(i.array);
  sets.value.insert(i.array);
  return std::all_of(i.subscripts.begin(), i.subscripts.end(),
                     [&](const Subscript& s) { return affine(*s.value, loops, sets); });
}

bool RegionRules::domain(const ExprPtr& e, const Loops& loops, CriticalSets& sets, bool& affine_bounds) const {
  affine_bounds = false;
  if (!evaluate(e, loops, sets)) return false;
  CriticalSets from;
  auto range = [&](const Expr& x) {
    auto* r = as<Range>(&x);
    return r && r->stop && form(*r->stop, loops, from) != Form::Neither &&
           (!r->start || form(*r->start, loops, from) != Form::Neither) &&
           (!r->step || form(*r->step, loops, from) == Form::Constant);
  };
  if (auto* d = as<Domain>(e))
    affine_bounds = std::all_of(d->ranges.begin(), d->ranges.end(), [&](const ExprPtr& r) { return range(*r); });
  else
    affine_bounds = range(*e);
  if (affine_bounds) join(sets, from);
  return true;
}

}  // namespace vr::analysis
