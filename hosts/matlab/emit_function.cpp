// Variables, places where ways meet, and bailing out.
#include "emit.hpp"

#include <algorithm>

namespace vr::matlab {

using ir::E;

bool same_closure(const Closure* a, const Closure* b) {
  if (!a || !b) return a == b;
  if (a->node != b->node || a->name != b->name || a->captured.size() != b->captured.size()) return false;
  return std::equal(a->captured.begin(), a->captured.end(), b->captured.begin(),
                    [](const auto& x, const auto& y) { return x.first == y.first && x.second.t == y.second.t; });
}

void Emitter::refuse(Pos pos, std::string what, std::string hint) const {
  throw Refused{pos.line ? pos : here, std::move(what), std::move(hint)};
}

void Emitter::at(Pos pos) {
  if (pos.line) here = pos;
  const std::string& own = version.function->file;
  loc = (own.empty() ? program.unit->file : own) + ":" + std::to_string(here.line) + ":" + std::to_string(here.column);
  f->at(loc);
}

// The one place that ends a call in favour of the interpreter.
void Emitter::bail(const std::string& reason) {
  std::string text;
  for (char c : reason) text += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  f->raise(program.bail_number(reason), text);
  alive = false;
}

// Bails out when the test is true.
void Emitter::guard(const E& test, const std::string& reason) {
  f->if_(test, [&] { bail(reason); });
  alive = true;
}

E Emitter::slot(const std::string& name, const Type& t) {
  const ir::Type s = storage(t);
  const std::string key = name + "|" + s.text();
  auto it = slots.find(key);
  if (it == slots.end()) it = slots.emplace(key, f->local(name, s)).first;
  return it->second;
}
E Emitter::flag(const std::string& name) {
  const std::string key = name + "|assigned";
  auto it = slots.find(key);
  if (it == slots.end()) it = slots.emplace(key, f->local(name + "_assigned", ir::boolean())).first;
  return it->second;
}

void Emitter::set(const std::string& name, Val v) {
  Var var;
  if (!v.t.lost.empty()) refuse(here, v.t.lost);
  if (v.t.has_storage()) {
    numeric(v, here);
    E e = elem(v, v.t.cls, v.t.complex);
    var.slot = slot(name, v.t);
    if (var.slot->id() != e.id()) f->assign(*var.slot, e);
  }
  var.t = std::move(v.t);
  env[name] = std::move(var);
}

Val Emitter::read(const std::string& name, Pos pos) {
  Var& var = env.at(name);
  if (var.lost_in) {
    // A temporary of a parallel loop is read after the loop or in its next iteration: the loop is not parallel.
    NodeState& loop = state(var.lost_in);
    if (!loop.serial) program.changed_here();
    loop.serial = true;
    throw NotYet{};
  }
  if (!var.t.lost.empty()) refuse(pos, "'" + name + "': " + var.t.lost);
  if (var.maybe) {
    guard(!flag(name), "'" + name + "' undefined");
    var.maybe = false;
  }
  if (!var.t.has_storage()) return {var.t};
  if (var.t.number)
    return var.t.cls == Cls::Logical  ? truth(*var.t.number != 0)
           : var.t.cls == Cls::Double ? number(*var.t.number)
                                      : Val{var.t, *var.slot};
  if (var.counter) return {var.t, *var.counter};
  return {var.t, *var.slot};
}

// One way into the place where ways meet: what it brings is joined, and converted to what is known there so far.
void Emitter::edge(Join& j, size_t back_edge_of) {
  if (j.round != program.round) {
    j.round = program.round;
    j.counters.clear();
    for (const auto& [name, var] : env) j.counters[name] = var.counter;
  } else {
    for (auto& [name, counter] : j.counters) {
      auto it = env.find(name);
      if (counter && (it == env.end() || !it->second.counter || it->second.counter->id() != counter->id()))
        counter.reset();
    }
  }
  const bool first = !j.seen;
  j.seen = true;
  for (const auto& [name, var] : env) {
    Type t = var.t;
    // A handle that a loop makes anew each time holds what its variables were then, which is kept once only.
    if (t.closure && !t.closure->captured.empty() && back_edge_of < t.closure->depth)
      t.lost = "a handle of an anonymous function that an iteration of a loop made for the next";
    auto it = j.vars.find(name);
    if (it == j.vars.end()) {
      j.vars[name] = {t, var.maybe || !first, var.lost_in};
      program.changed_here();
      continue;
    }
    Join::Entry now = it->second;
    if (var.lost_in) {
      now.lost_in = var.lost_in;
    } else {
      now.t = join(now.t, t);
      now.maybe = now.maybe || var.maybe;
    }
    if (now.t == it->second.t && now.maybe == it->second.maybe && now.lost_in == it->second.lost_in) continue;
    it->second = now;
    program.changed_here();
  }
  for (auto& [name, entry] : j.vars) {
    auto it = env.find(name);
    if (it == env.end() || it->second.lost_in) {
      if (!entry.maybe && it == env.end()) {
        entry.maybe = true;
        program.changed_here();
      }
      if (entry.maybe) f->assign(flag(name), E(false));
      continue;
    }
    const Var& var = it->second;
    if (entry.maybe && !var.maybe) f->assign(flag(name), E(true));
    if (!entry.t.has_storage() || !var.slot) continue;
    E to = slot(name, entry.t);
    if (to.id() != var.slot->id()) f->assign(to, convert({var.t, *var.slot}, entry.t));
  }
}

// What holds where the ways have met.
void Emitter::enter(Join& j, bool keep_counters) {
  env.clear();
  for (const auto& [name, entry] : j.vars) {
    Var var;
    var.t = entry.t;
    var.maybe = entry.maybe;
    var.lost_in = entry.lost_in;
    if (entry.t.has_storage()) var.slot = slot(name, entry.t);
    auto it = j.counters.find(name);
    if (keep_counters && it != j.counters.end()) var.counter = it->second;
    env[name] = std::move(var);
  }
  alive = true;
}

// The result k of the version, whose type joins what is known of it.
void Emitter::give(size_t k, const std::string& name, const Val& v, std::vector<E>& values) {
  const bool main = version.name == program.main;
  std::optional<Type>& known = version.results[k];
  const Type now = known ? join(*known, v.t) : v.t;
  if (!known || !(now == *known)) {
    known = now;
    program.changed_here();
  }
  if (!now.lost.empty()) refuse(here, "result '" + name + "': " + now.lost);
  if (now.closure && (main || !now.closure->captured.empty()))
    refuse(here, "result '" + name + "' is a function handle");
  if (now.cls == Cls::Char && main) refuse(here, "result '" + name + "' is text");
  if (!now.has_storage()) return;
  if (now.mixed && main) refuse(here, "result '" + name + "' is double on one way and logical on another");
  if (now.kept_complex && main) {
    // complex(x, 0) keeps its zeros; that is nothing which a result here could tell.
    Val z = named_value(v);
    E imaginary = lib("imag", {elem(z, z.t.cls, true)});
    E zero = imaginary == f->float_const(0, imaginary.type().element());
    guard(every(zero, z.t.is_scalar() ? 0 : z.t.rank()), "a complex result whose imaginary parts are zero");
  }
  values.push_back(convert(v, now));
}

bool Emitter::return_(bool early) {
  if (version.function->part) {
    return_part(*this, early);
    return true;
  }
  std::vector<E> values;
  for (int k = 0; k < version.outputs(); ++k) {
    const std::string& name = version.function->outputs[k];
    if (!env.count(name)) {
      bail("'" + name + "' undefined");
      return false;
    }
    give(k, name, read(name, here), values);
  }
  f->return_(values);
  alive = false;
  return true;
}

void Emitter::parameters() {
  const std::vector<Param>& params = version.function->params;
  const bool rest = !params.empty() && params.back().name == "varargin";
  const size_t named = params.size() - rest;
  for (size_t k = 0; k < version.args.size(); ++k) {
    const std::string name = k < named ? params[k].name : "varargin#" + std::to_string(k - named + 1);
    Var var;
    var.t = version.args[k];
    if (var.t.has_storage()) {
      var.slot = f->arg(name, storage(var.t));
      slots.emplace(name + "|" + storage(var.t).text(), *var.slot);
    } else if (var.t.closure && !var.t.closure->captured.empty()) {
      // What the handle had captured comes as arguments of its own.
      auto c = std::make_shared<Closure>(*var.t.closure);
      c->depth = 0;
      for (auto& [inner, v] : c->captured)
        if (v.t.has_storage()) v.e = f->arg(name + "_" + inner, storage(v.t));
      var.t.closure = c;
    }
    if (name != "~") env[name] = std::move(var);
  }
  at(version.function->pos);
  for (size_t k = version.args.size(); k < named; ++k)
    if (params[k].value) set(params[k].name, expr(*this, params[k].value));
}

void Emitter::run() {
  std::vector<ir::Type> types;
  for (const std::optional<Type>& t : version.results)
    if (t && t->has_storage()) types.push_back(storage(*t));
  f = &program.builder->function(version.name, std::move(types));
  try {
    parameters();
  } catch (const Refused& r) {
    program.refuse(r, false, version.function->name);
    return;
  } catch (const NotYet&) {
    return;
  }
  if (version.function->part) begin_part(*this);
  body(*this, version.function->body);
  if (alive) {
    try {
      if (return_()) return;
    } catch (const Refused& r) {
      program.refuse(r, false, version.function->name);
    } catch (const NotYet&) {}
  }
  // Control never reaches this point, which VRIR cannot always prove.
  f->at("");
  std::vector<E> none;
  for (const std::optional<Type>& t : version.results)
    if (t && t->has_storage()) none.push_back(f->local("none", storage(*t)));
  f->return_(none);
}

namespace {
void collect(const Expr& e, std::set<std::string>& names) {
  if (e.kind == ExprKind::Assign && e.args[0]->kind == ExprKind::Name) names.insert(e.args[0]->text);
  for (const ExprPtr& a : e.args)
    if (a) collect(*a, names);
  for (const auto& row : e.rows)
    for (const ExprPtr& a : row) collect(*a, names);
}
void collect(const Body& b, std::set<std::string>& names) {
  for (const StmtPtr& s : b) {
    if (s->value) collect(*s->value, names);
    for (const ExprPtr& t : s->tests)
      if (t) collect(*t, names);
    for (const ExprPtr& t : s->targets) {
      const Expr* e = t.get();
      while (e && (e->kind == ExprKind::Index || e->kind == ExprKind::Brace || e->kind == ExprKind::Field))
        e = e->args[0].get();
      if (e && e->kind == ExprKind::Name) names.insert(e->text);
    }
    for (const Body& inner : s->bodies) collect(inner, names);
  }
}
}  // namespace

// Names that the statements assign to, wholly or in part.
const std::set<std::string>& Emitter::assigned(const Body& b) {
  auto [it, fresh] = assigned_names.try_emplace(&b);
  if (fresh) collect(b, it->second);
  return it->second;
}

}  // namespace vr::matlab
