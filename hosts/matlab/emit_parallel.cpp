// Parallel loops, and their reductions.
#include "emit.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::matlab {

using ir::E;

namespace {

// Variables that statements assign as a whole: private to an iteration of a parallel loop.
void assigned_symbols(const ir::Body& b, std::set<ir::SymbolId>& whole, std::set<ir::SymbolId>& used) {
  ir::walk_stmts(b, [&](const ir::Stmt& s) {
    if (const auto* a = ir::as<ir::Assign>(&s))
      for (const ir::ExprPtr& t : a->targets)
        if (const auto* n = ir::as<ir::Name>(t)) whole.insert(n->id);
    if (const auto* l = ir::as<ir::For>(&s)) whole.insert(l->itervars.begin(), l->itervars.end());
    if (const auto* l = ir::as<ir::PFor>(&s)) whole.insert(l->itervars.begin(), l->itervars.end());
  });
  ir::walk_exprs(b, [&](const ir::Expr& e) {
    if (const auto* n = ir::as<ir::Name>(&e)) used.insert(n->id);
    if (const auto* n = ir::as<ir::Index>(&e)) used.insert(n->array);
    if (const auto* n = ir::as<ir::Dim>(&e)) used.insert(n->array);
    if (const auto* n = ir::as<ir::DimVec>(&e)) used.insert(n->array);
    if (const auto* n = ir::as<ir::RealExpr>(&e)) used.insert(n->id);
    if (const auto* n = ir::as<ir::ImagExpr>(&e)) used.insert(n->id);
  });
}

// Variables that statements assign to by name, not element by element.
void whole_names(const Body& b, std::set<std::string>& names) {
  for (const StmtPtr& s : b) {
    for (const ExprPtr& t : s->targets)
      if (t && t->kind == ExprKind::Name) names.insert(t->text);
    for (const Body& inner : s->bodies) whole_names(inner, names);
  }
}

bool mentions(const Expr& e, const std::string& name) {
  if (e.kind == ExprKind::Name && e.text == name) return true;
  for (const ExprPtr& a : e.args)
    if (a && mentions(*a, name)) return true;
  for (const auto& row : e.rows)
    for (const ExprPtr& a : row)
      if (mentions(*a, name)) return true;
  return false;
}

// r = r + e, r += e and the like: the operation's group (Plus for sums, Times for products), None for anything else.
Op reduces(const Stmt& s, const std::string& name) {
  if (s.kind != StmtKind::Assign || s.targets.size() != 1 || !s.targets[0] || s.targets[0]->kind != ExprKind::Name)
    return Op::None;
  auto group = [](Op op) {
    if (op == Op::Plus || op == Op::Minus) return Op::Plus;
    return op == Op::Times || op == Op::Mtimes ? Op::Times : Op::None;
  };
  auto is_it = [&](const ExprPtr& e) { return e->kind == ExprKind::Name && e->text == name; };
  if (s.op != Op::None) return mentions(*s.value, name) ? Op::None : group(s.op);
  const Expr& v = *s.value;
  if (v.kind != ExprKind::Binary) return Op::None;
  if (is_it(v.args[0]) && !mentions(*v.args[1], name)) return group(v.op);
  if (v.op != Op::Minus && is_it(v.args[1]) && !mentions(*v.args[0], name)) return group(v.op);
  return Op::None;
}

// Looks at every statement that mentions the name; false when one does anything else with it than reduce it by one
// group.
bool only_reduced(const Body& b, const std::string& name, Op& group) {
  for (const StmtPtr& s : b) {
    const bool target =
        s->targets.size() == 1 && s->targets[0] && s->targets[0]->kind == ExprKind::Name && s->targets[0]->text == name;
    if (target) {
      const Op op = reduces(*s, name);
      if (op == Op::None || (group != Op::None && group != op)) return false;
      group = op;
      continue;
    }
    for (const ExprPtr& t : s->targets)
      if (t && mentions(*t, name)) return false;
    if (s->value && mentions(*s->value, name)) return false;
    for (const ExprPtr& t : s->tests)
      if (mentions(*t, name)) return false;
    for (const Body& inner : s->bodies)
      if (!only_reduced(inner, name, group)) return false;
  }
  return true;
}

struct Reduction {
  std::string name;
  Op op;
  E slot, parts;
};
constexpr long kParts = 64;  // whatever the number of threads, so that results do not depend on it

// Numbers that the iterations only add to, or only multiply.
std::vector<Reduction> reductions(Emitter& em, const Stmt& s, const std::set<std::string>& assigned) {
  std::vector<Reduction> list;
  for (const std::string& name : assigned) {
    Op group = Op::None;
    auto it = em.env.find(name);
    if (it == em.env.end() || it->second.maybe || it->second.lost_in || name == s.targets[0]->text) continue;
    const Type& t = it->second.t;
    if (t.cls != Cls::Double || t.complex || t.mixed || !t.lost.empty() || !t.is_scalar()) continue;
    if (!only_reduced(s.bodies[0], name, group) || group == Op::None) continue;
    E parts = em.temp((name + "_parts").c_str(), ir::f64_array(2, ir::Layout::ColMajor));
    list.push_back({name, group, em.slot(name, Type::scalar(Cls::Double)), parts});
  }
  return list;
}

// Divides the iterations into parts with partial sums, which are added in order.
void share_out(Emitter& em, const E& counter, const ir::Range& span, const std::vector<Reduction>& reduced,
               std::vector<E> shared, const ir::Body& inside) {
  ir::FunctionBuilder& f = *em.f;
  E from = em.temp("from", ir::i64()), to = em.temp("to", ir::i64()), size = em.temp("part_size", ir::i64());
  E part = em.temp("part", ir::i64()), first = em.temp("first", ir::i64());
  f.assign(from, E(span.start, &f));
  f.assign(to, E(span.stop, &f));
  f.assign(size,
           f.binary(ir::Kind::Div, f.lib("max2", {to - from + E(1), E(0)}) + E(kParts - 1), E(kParts)).as(ir::i64()));
  shared.push_back(from);
  shared.push_back(to);
  shared.push_back(size);
  for (const Reduction& r : reduced) {
    f.assign(r.parts, f.zeros(r.parts.type(), {E(1), E(kParts)}));
    shared.push_back(r.parts);
  }
  f.pfor({part}, {ir::range_to(E(1), E(kParts))}, shared, [&] {
    for (const Reduction& r : reduced) f.assign(r.slot, E(r.op == Op::Plus ? 0.0 : 1.0));
    f.assign(first, from + (part - E(1)) * size);
    f.for_(counter, ir::range_to(first, f.lib("min2", {first + size - E(1), to})), [&] { f.append(inside); });
    for (const Reduction& r : reduced) {
      ir::Subscript at;
      at.value = part.node();
      at.grow = false;
      f.assign(f.index(r.parts, std::vector<ir::Subscript>{at}), r.slot);
    }
  });
  f.for_(part, ir::range_to(E(1), E(kParts)), [&] {
    for (const Reduction& r : reduced)
      f.assign(r.slot, f.binary(r.op == Op::Plus ? ir::Kind::Plus : ir::Kind::Mult, r.slot, f.index(r.parts, {part})));
  });
}

}  // namespace

// A parallel loop. Variables that its body assigns as a whole are private to an iteration. If an iteration, or the code
// after the loop, reads a value from another iteration, the next round emits a serial loop. False: the loop is serial
// already.
bool pfor(Emitter& em, const Stmt& s, const E& counter, const E& range, const std::function<void()>& start) {
  std::set<std::string> temporaries;
  whole_names(s.bodies[0], temporaries);
  temporaries.insert(s.targets[0]->text);
  const std::string loc = em.loc;
  const Env before = em.env;
  const auto* span = ir::as<ir::Range>(range.node());
  std::vector<Reduction> reduced;
  if (span && !span->step && counter.type() == ir::i64()) reduced = reductions(em, s, temporaries);
  for (const Reduction& r : reduced) temporaries.erase(r.name);
  for (const std::string& name : temporaries) {
    Var lost;
    lost.lost_in = &s;
    em.env[name] = lost;
  }
  Env outer = em.env;
  em.loops.push_back({nullptr, true, &s});
  ++em.parallel;
  for (const Reduction& r : reduced) {
    Var part;
    part.t = Type::scalar(Cls::Double);
    part.slot = r.slot;
    em.env[r.name] = part;
  }
  const ir::Body inside = em.f->apart([&] {
    start();
    body(em, s.bodies[0]);
  });
  for (const Reduction& r : reduced) {
    // A sum that is an array or complex cannot be divided into partial sums.
    const Var& now = em.env[r.name];
    if (em.alive && (!now.slot || now.slot->id() != r.slot.id() || now.t.mixed) && !em.state(&s).serial) {
      em.state(&s).serial = true;
      em.program.changed_here();
    }
  }
  --em.parallel;
  em.loops.pop_back();
  em.alive = true;
  if (em.state(&s).serial) {
    em.env = before;
    return false;
  }
  auto is_reduced = [&](const std::string& name) {
    return std::any_of(reduced.begin(), reduced.end(), [&](const Reduction& r) { return r.name == name; });
  };
  // Stores to elements may have given the array another type, and so another variable: then its value does not reach
  // the code after the loop.
  std::set<ir::SymbolId> whole, used;
  assigned_symbols(inside, whole, used);
  for (const auto& [name, var] : before)
    if (!temporaries.count(name) && !is_reduced(name) && var.slot && em.env.count(name) &&
        (!em.env[name].slot || em.env[name].slot->id() != var.slot->id() || whole.count(var.slot->id()))) {
      em.state(&s).serial = true;
      em.program.changed_here();
      em.env = before;
      return false;
    }
  em.env = outer;
  em.f->at(loc);
  std::vector<E> shared;
  for (ir::SymbolId id : used)
    if (!whole.count(id) && id != counter.id()) shared.push_back(em.f->name(id));
  if (reduced.empty()) {
    em.f->pfor({counter}, {range}, shared, [&] { em.f->append(inside); });
    return true;
  }
  share_out(em, counter, *span, reduced, std::move(shared), inside);
  for (const Reduction& r : reduced) {
    Var sum;
    sum.t = Type::scalar(Cls::Double);
    sum.slot = r.slot;
    em.env[r.name] = sum;
  }
  return true;
}

}  // namespace vr::matlab
