// Variables, joins of control-flow paths, and bailing out.
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

namespace {
bool same_value(const Val& a, const Val& b) {
  if (a.t.closure && b.t.closure && !same_values(*a.t.closure, *b.t.closure)) return false;
  if (a.t.has_storage() && b.t.has_storage() && a.e.id() != b.e.id()) return false;
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same_value);
}
}  // namespace

bool same_values(const Closure& a, const Closure& b) {
  return &a == &b || std::equal(a.captured.begin(), a.captured.end(), b.captured.begin(), b.captured.end(),
                                [](const auto& x, const auto& y) { return same_value(x.second, y.second); });
}

std::string part_name(const std::string& name, const Type& t, size_t k) {
  return t.cls != Cls::Cell ? name + "." + t.fields[k] : name + "{" + std::to_string(k + 1) + "}";
}
std::string root_name(const std::string& name) { return name.substr(0, name.find_first_of(".{")); }
std::string aggregate_name(const Type& t) {
  return t.cls == Cls::Struct ? "a structure" : t.cls == Cls::Structs ? "an array of structures" : "a cell array";
}
void stored_leaves(const Type& t, std::vector<ir::Type>& types) {
  if (t.has_storage()) types.push_back(storage(t));
  for (const Type& p : t.parts) stored_leaves(p, types);
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

// Emits the code that bails out.
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

void only_serial(Emitter& em) {
  if (em.parallel == 0) return;
  for (const Loop& l : em.loops)
    if (l.parallel) {
      if (!em.state(l.stmt).serial) em.program.changed_here();
      em.state(l.stmt).serial = true;
    }
  throw NotYet{};
}

// Variables of an aggregate's parts have the names s.x and c{1}, which no program can have.
void forget_parts(Emitter& em, const std::string& name) {
  for (auto it = em.env.lower_bound(name); it != em.env.end() && it->first.compare(0, name.size(), name) == 0;) {
    const char next = it->first.size() > name.size() ? it->first[name.size()] : ' ';
    it = next == '.' || next == '{' ? em.env.erase(it) : std::next(it);
  }
}

void bind_variable(Emitter& em, const std::string& name, const Val& v) {
  Var var;
  var.t = v.t;
  var.t.parts.clear();
  if (v.t.has_storage()) var.slot = v.e;
  em.env[name] = std::move(var);
  for (size_t k = 0; k < v.parts.size(); ++k) bind_variable(em, part_name(name, v.t, k), v.parts[k]);
}

void Emitter::set(const std::string& name, Val v) {
  Var var;
  if (!v.t.lost.empty()) refuse(here, v.t.lost);
  auto had = env.find(name);
  if (v.t.is_aggregate() || (had != env.end() && had->second.t.is_aggregate())) {
    only_serial(*this);
    if (had != env.end()) v = kept(*this, v, "part");  // made of parts that are assigned to now, perhaps
    forget_parts(*this, name);
  }
  if (v.t.is_aggregate()) {
    const std::vector<Val> parts = std::move(v.parts);
    const Type t = v.t;
    var.t = t;
    var.t.parts.clear();
    env[name] = std::move(var);
    for (size_t k = 0; k < parts.size(); ++k) set(part_name(name, t, k), parts[k]);
    return;
  }
  if (v.t.has_storage()) {
    stored(*this, v, here);
    E e = elem(v, v.t.cls, v.t.complex);
    var.slot = slot(name, v.t);
    if (var.slot->id() != e.id()) f->assign(*var.slot, e);
  }
  var.t = std::move(v.t);
  env[name] = std::move(var);
}

Val Emitter::read(const std::string& name, Pos pos) {
  auto found = env.find(name);
  if (found == env.end()) refuse(pos, "'" + name + "' is not there");
  Var& var = found->second;
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
  if (var.fresh) settle_fields(*this, var);
  if (var.t.is_aggregate()) {
    Val v{var.t};
    const size_t n = v.t.cls != Cls::Cell ? v.t.fields.size() : static_cast<size_t>(v.t.count());
    for (size_t k = 0; k < n; ++k) {
      v.parts.push_back(read(part_name(name, v.t, k), pos));
      v.t.parts.push_back(v.parts.back().t);
    }
    return v;
  }
  if (!var.t.has_storage()) return {var.t};
  if (var.t.number)
    return var.t.cls == Cls::Logical  ? truth(*var.t.number != 0)
           : var.t.cls == Cls::Double ? number(*var.t.number)
                                      : Val{var.t, *var.slot};
  if (var.counter) return {var.t, *var.counter};
  return {var.t, *var.slot};
}

// One path into a join: its types are joined with those of the other paths, and its values converted to the result.
void Emitter::edge(Join& j, size_t back_edge_of) {
  for (auto& [name, var] : env)
    if (var.fresh) settle_fields(*this, var);
  const std::set<std::string> empty = j.seen ? match_lists(*this, j) : std::set<std::string>();
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
    // A handle made in a loop captures other values in each iteration, but the captured values are stored only once.
    if (t.closure && !t.closure->captured.empty() && back_edge_of < t.closure->depth)
      t.lost = "a handle of an anonymous function that an iteration of a loop made for the next";
    auto it = j.vars.find(name);
    if (it == j.vars.end()) {
      j.vars[name] = {t, var.maybe || !first, var.lost_in, first && (!var.maybe || var.or_nothing)};
      program.changed_here();
      continue;
    }
    Join::Entry now = it->second;
    if (t.closure && same_closure(t.closure.get(), now.t.closure.get())) {
      // Of another round: the variables that hold the captured values are now others. Of this one: one closure, made at
      // several times by an unrolled loop, may have captured different values.
      if (now.t.closure->round != program.round)
        it->second.t.closure = now.t.closure = t.closure;
      else if (!same_values(*t.closure, *now.t.closure))
        t.lost = "it is a function handle that is not the same on all paths";
    }
    if (var.lost_in) {
      now.lost_in = var.lost_in;
    } else {
      now.t = join(now.t, t);
      now.maybe = now.maybe || var.maybe;
      now.or_nothing = now.or_nothing && (!var.maybe || var.or_nothing);
    }
    if (now.t == it->second.t && now.maybe == it->second.maybe && now.lost_in == it->second.lost_in &&
        now.or_nothing == it->second.or_nothing)
      continue;
    it->second = now;
    program.changed_here();
  }
  for (auto& [name, entry] : j.vars) {
    auto it = env.find(name);
    if (it == env.end() || it->second.lost_in) {
      const bool nothing = empty.count(name) > 0;
      if (it == env.end() && (!entry.maybe || (entry.or_nothing && !nothing))) {
        entry.maybe = true;
        entry.or_nothing = entry.or_nothing && nothing;
        program.changed_here();
      }
      if (entry.maybe) f->assign(flag(name), E(false));
      continue;
    }
    const Var& var = it->second;
    if (entry.maybe && !var.maybe) f->assign(flag(name), E(true));
    if (!entry.t.has_storage() || (!var.slot && !var.t.text)) continue;
    E to = slot(name, entry.t);
    if (!var.slot)
      f->assign(to, convert({var.t}, entry.t));
    else if (to.id() != var.slot->id())
      f->assign(to, convert({var.t, *var.slot}, entry.t));
  }
}

// The state of the variables after the join.
void Emitter::enter(Join& j, bool keep_counters) {
  env.clear();
  for (const auto& [name, entry] : j.vars) {
    Var var;
    var.t = entry.t;
    var.maybe = entry.maybe;
    var.or_nothing = entry.or_nothing;
    var.lost_in = entry.lost_in;
    if (entry.t.has_storage()) var.slot = slot(name, entry.t);
    auto it = j.counters.find(name);
    if (keep_counters && it != j.counters.end()) var.counter = it->second;
    env[name] = std::move(var);
  }
  alive = true;
}

// Result k of the version; its type is the join of the types at all returns.
void Emitter::give(size_t k, const std::string& name, const Val& given, std::vector<E>& values) {
  const bool main = version.name == program.main;
  const Val v = main ? spelled(*this, given) : given;
  if (v.t.is_aggregate() && version.function->part)
    refuse(here, "'" + name + "' is " + aggregate_name(v.t) + ", which a loop that is compiled by itself assigns to");
  std::optional<Type>& known = version.results[k];
  const Type now = known ? join(*known, v.t) : v.t;
  if (!known || !(now == *known)) {
    known = now;
    program.changed_here();
  }
  if (!now.lost.empty()) refuse(here, "result '" + name + "': " + now.lost);
  give_value(*this, name, v, now, values);
}

namespace {
/// The host makes an array of structures of its columns, where a structure in a field has to have all of its fields.
void check_structs(Emitter& em, const Val& s) {
  if (s.parts.empty()) em.refuse(em.here, "a result that is an array of structures without fields");
  std::function<void(const Val&)> assigned = [&](const Val& v) {
    if (v.t.cls == Cls::List)
      em.guard(em.some(em.named(v.parts[2], "rows") < E(0.0), 2), "a structure in a field that lacks fields");
    for (size_t k = 0; k < v.parts.size() && v.t.cls == Cls::Structs; ++k) assigned(v.parts[k]);
  };
  for (const Val& p : s.parts)
    if (p.t.cls == Cls::Structs) assigned(p);
}
}  // namespace

void give_value(Emitter& em, const std::string& name, const Val& v, const Type& now, std::vector<E>& values) {
  const bool main = em.version.name == em.program.main;
  if (!now.lost.empty()) em.refuse(em.here, "result '" + name + "': " + now.lost);
  if (now.is_aggregate()) {
    if (main && now.cls == Cls::List) em.guard(em.elements(v.parts[1]) == E(0), "a cell array without cells");
    if (main && now.cls == Cls::Structs) check_structs(em, v);
    for (size_t k = 0; k < now.parts.size(); ++k)
      give_value(em, part_name(name, now, k), v.parts[k], now.parts[k], values);
    return;
  }
  if (now.closure && (main || !now.closure->captured.empty()))
    em.refuse(em.here, "result '" + name + "' is a function handle");
  if (!now.has_storage()) return;
  if (now.mixed && main) em.refuse(em.here, "result '" + name + "' is double on one way and logical on another");
  if (now.kept_complex && main) {
    // complex(x, 0) keeps its zeros; that is nothing which a result here could tell.
    Val z = em.named_value(v);
    E imaginary = em.lib("imag", {em.elem(z, z.t.cls, true)});
    E zero = imaginary == em.f->float_const(0, imaginary.type().element());
    em.guard(em.every(zero, z.t.is_scalar() ? 0 : z.t.rank()), "a complex result whose imaginary parts are zero");
  }
  values.push_back(em.convert(v, now));
}

bool Emitter::return_(bool early) {
  if (version.function->part) {
    return_part(*this, early);
    return true;
  }
  std::vector<E> values;
  for (int k = 0; k < version.outputs(); ++k) {
    std::string name = version.output_name(static_cast<size_t>(k));
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

// A parameter's value: its parts, and what a handle had captured, come as arguments of their own.
Val parameter(Emitter& em, const std::string& name, const Type& t) {
  Val v{t};
  if (t.has_storage()) {
    v.e = em.f->arg(name, storage(t));
    em.slots.emplace(name + "|" + storage(t).text(), v.e);
  } else if (t.closure && !t.closure->captured.empty()) {
    auto c = std::make_shared<Closure>(*t.closure);
    c->depth = 0;
    c->round = em.program.round;
    for (auto& [inner, held] : c->captured) held = parameter(em, name + "_" + inner, held.t);
    v.t.closure = c;
  }
  for (size_t k = 0; k < t.parts.size(); ++k)
    v.parts.push_back(
        parameter(em, name + "_" + (k < t.fields.size() ? t.fields[k] : std::to_string(k + 1)), t.parts[k]));
  return v;
}

void Emitter::parameters() {
  const std::vector<Param>& params = version.function->params;
  const bool rest = !params.empty() && params.back().name == "varargin";
  const size_t named = params.size() - rest;
  Val list{Type::scalar(Cls::Cell)};
  for (size_t k = 0; k < version.args.size(); ++k) {
    const std::string name = k < named ? params[k].name : "varargin" + std::to_string(k - named + 1);
    const Val v = parameter(*this, name, version.args[k]);
    if (k >= named) {
      list.t.parts.push_back(v.t);
      list.parts.push_back(v);
    } else if (name != "~") {
      bind_variable(*this, name, v);
    }
  }
  if (rest) {
    const auto n = static_cast<int64_t>(list.parts.size());
    list.t.ext = {n ? 1 : 0, n};
    bind_variable(*this, "varargin", list);
  }
  at(version.function->pos);
  for (size_t k = version.args.size(); k < named; ++k)
    if (params[k].value) set(params[k].name, expr(*this, params[k].value));
}

void Emitter::run() {
  std::vector<ir::Type> types;
  for (const std::optional<Type>& t : version.results)
    if (t) stored_leaves(*t, types);
  f = &program.builder->function(version.name, types);
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
  for (const ir::Type& t : types) none.push_back(f->local("none", t));
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
