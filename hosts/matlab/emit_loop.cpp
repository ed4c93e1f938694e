// Loops.
#include "emitter.hpp"

#include <velociraptor/ir/visit.hpp>

#include <cmath>

namespace vr::matlab {

using ir::E;

namespace {
constexpr double kExact = 9007199254740992.0;  // 2^53: whole numbers up to here are doubles
bool integral(const std::optional<double>& v) { return v && *v == std::floor(*v) && std::abs(*v) < kExact; }
}  // namespace

// A loop's head is where its body's end, `continue` and `break` meet the way in; what holds there holds behind the
// loop.
void Emitter::loop_body(const Stmt& s, Join& j, const std::function<void()>& start) {
  loops_.push_back({&j, false, &s});
  start();
  if (alive_) body(s.bodies[0]);
  if (alive_) edge(j, loops_.size() - 1);
  loops_.pop_back();
}

void Emitter::while_(const Stmt& s) {
  Join& j = state(&s).join;
  j.round = -1;
  edge(j);
  const std::set<std::string>& changed = assigned(s.bodies[0]);
  for (auto& [name, counter] : j.counters)
    if (changed.count(name)) counter.reset();
  enter(j, true);
  // The test is part of every iteration; when it is one expression the loop is a plain one.
  std::optional<Val> test;
  const std::string loc = loc_;
  const ir::Body before = f_->apart([&] { test = condition(expr(s.tests[0]), s.tests[0]->pos); });
  if (test->t.number && *test->t.number == 0) {
    f_->append(before);
    return;
  }
  f_->at(loc);
  if (before.empty()) {
    f_->while_(test->e, [&] { loop_body(s, j, [] {}); });
  } else {
    f_->while_(E(true), [&] {
      loop_body(s, j, [&] {
        f_->append(before);
        f_->if_(!test->e, [&] { f_->break_(); });
      });
    });
  }
  enter(j, true);
}

void Emitter::do_until(const Stmt& s) {
  Join& j = state(&s).join;
  j.round = -1;
  edge(j);
  enter(j, false);
  // `continue` goes on with the test, so the test stands at the beginning of every iteration but the first.
  E again = temp("again", ir::boolean());
  f_->assign(again, E(false));
  f_->while_(E(true), [&] {
    loop_body(s, j, [&] {
      f_->if_(again, [&] {
        const Env head = env_;
        at(s.tests[0]->pos);
        const Val test = condition(expr(s.tests[0]), s.tests[0]->pos);
        f_->if_(test.e, [&] { f_->break_(); });
        env_ = head;
      });
      f_->assign(again, E(true));
    });
  });
  enter(j, false);
}

void Emitter::for_(const Stmt& s) {
  const Expr& over = *s.value;
  if (over.kind == ExprKind::Range) return for_range(s, over);
  for_columns(s);
}

// `for` over a range of VRIR with its counter; `start` gives the program's variable its value.
void Emitter::count(const Stmt& s, const E& counter, const E& range, const std::function<void()>& start) {
  if (s.parallel && !state(&s).serial && pfor(s, counter, range, start)) return;
  Join& j = state(&s).join;
  j.round = -1;
  const std::string loc = loc_;
  // After a loop that never ran its variable is an empty array; nothing here is, so who reads it bails out.
  env_.erase(s.targets[0]->text);
  edge(j);
  const std::set<std::string>& changed = assigned(s.bodies[0]);
  for (auto& [name, c] : j.counters)
    if (changed.count(name)) c.reset();
  enter(j, true);
  f_->at(loc);
  f_->for_(counter, range, [&] { loop_body(s, j, start); });
  enter(j, true);
}

void Emitter::for_range(const Stmt& s, const Expr& r) {
  const bool stepped = r.args.size() == 3;
  Val start = scalar_number(expr(r.args[0]), r.pos, "the start of the loop");
  Val step = stepped ? scalar_number(expr(r.args[1]), r.pos, "the step of the loop") : number(1);
  Val stop = scalar_number(expr(r.args.back()), r.pos, "the end of the loop");
  const std::string& name = s.targets[0]->text;
  Cls cls = Cls::Double;
  for (const Val* v : {&start, &step, &stop}) {
    if (v->t.cls == Cls::Int64) refuse(r.pos, "a range of class int64");
    if (is_integer(v->t.cls) || (v->t.cls == Cls::Single && cls == Cls::Double)) cls = v->t.cls;
  }
  const bool whole_step = integral(step.t.number) && *step.t.number != 0;
  const bool whole_start = start.whole() || integral(start.t.number) || is_integer(start.t.cls);
  const bool fraction = start.t.number && !whole_start;
  if (cls == Cls::Single || fraction || !whole_step) {
    if (is_integer(cls)) refuse(r.pos, "a range of an integer class whose step is not known");
    // Numbers with fractions: VRIR counts as MATLAB does.
    E parts[3] = {elem(start, cls, false), elem(step, cls, false), elem(stop, cls, false)};
    for (E& p : parts) {
      p = named({Type::scalar(cls), p}, "bound");
      guard(!lib("isfinite", {p}), "a range without finite bounds");
    }
    E counter = temp(name.c_str(), ir::Type::scalar(*elem_of(cls)));
    return count(s, counter, ir::range_to(parts[0], parts[1], parts[2]), [&] {
      set(name, {Type::scalar(cls), counter});
    });
  }
  // Whole numbers: the loop counts in int64, where subscripts are cheap, and the variable is its value as a double.
  auto bound = [&](const Val& v, bool down) -> E {
    if (v.whole() || v.e.type().elem == ir::Elem::Int32 || v.e.type().elem == ir::Elem::Bool)
      return elem(v, Cls::Int64, false);
    if (integral(v.t.number)) return E(static_cast<long>(*v.t.number));
    E x = named({Type::scalar(Cls::Double), elem(v, Cls::Double, false)}, "bound");
    guard(!(lib("abs", {x}) <= E(kExact)), "a range without bounds");
    return f_->cast(lib(down ? "floor" : "ceil", {x}), ir::i64());
  };
  if (!whole_start) {
    start = {start.t, named({Type::scalar(Cls::Double), real(start)}, "start")};
    guard(start.e != lib("floor", {start.e}), "a loop whose start has a fraction");
  }
  E from = bound(start, true), to = bound(stop, *step.t.number > 0);
  E counter = temp((name + "_count").c_str(), ir::i64());
  E range = *step.t.number == 1 ? ir::range_to(from, to) : ir::range_to(from, E(static_cast<long>(*step.t.number)), to);
  count(s, counter, range, [&, counter] {
    if (cls != Cls::Double) return set(name, {Type::scalar(cls), f_->cast(counter, ir::Type::scalar(*elem_of(cls)))});
    set(name, {Type::scalar(Cls::Double), f_->cast(counter, ir::f64())});
    env_.at(name).counter = counter;
  });
}

// Over the columns of an array.
void Emitter::for_columns(const Stmt& s) {
  const Val over = expr(s.value);
  if (over.t.cls == Cls::Char || over.t.cls == Cls::Handle || s.value->kind == ExprKind::Cell)
    refuse(s.value->pos, "a loop over text or cells");
  Val a = numeric(over, s.value->pos);
  const std::string& name = s.targets[0]->text;
  E counter = temp((name + "_count").c_str(), ir::i64());
  if (a.t.is_scalar()) {
    a = named_value({a.t, elem(a, a.t.cls, a.t.complex)}, "over");
    return count(s, counter, ir::range_to(E(1), E(1)), [&] { set(name, a); });
  }
  if (a.t.rank() > 2) refuse(s.value->pos, "a loop over an array of more than two dimensions");
  E array = temp("over", a.e.type());
  f_->assign(array, a.e);
  a.e = array;
  if (!a.t.is_row())
    guard(f_->binary(ir::Kind::And, extent(a, 1) == E(0), extent(a, 2) > E(0)), "a loop over empty columns");
  count(s, counter, ir::range_to(E(1), extent(a, 2)), [&] {
    Type t = Type::array(a.t.cls, {a.t.ext[0], 1}, a.t.complex);
    E column = a.t.is_row() ? f_->index(array, {E(1), counter}) : f_->index(array, {ir::all(), counter});
    set(name, value(t, column));
  });
}

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

}  // namespace

// A parallel loop. What its body assigns as a whole is a temporary of an iteration; should one iteration, or what
// follows the loop, want a value that another has left, then the next round emits a serial loop. False: it is one
// already.
bool Emitter::pfor(const Stmt& s, const E& counter, const E& range, const std::function<void()>& start) {
  std::set<std::string> temporaries;
  whole_names(s.bodies[0], temporaries);
  temporaries.insert(s.targets[0]->text);
  const std::string loc = loc_;
  const Env before = env_;
  for (const std::string& name : temporaries) {
    Var lost;
    lost.lost_in = &s;
    env_[name] = lost;
  }
  Env outer = env_;
  loops_.push_back({nullptr, true, &s});
  ++parallel_;
  const ir::Body inside = f_->apart([&] {
    start();
    body(s.bodies[0]);
  });
  --parallel_;
  loops_.pop_back();
  alive_ = true;
  if (state(&s).serial) {
    env_ = before;
    return false;
  }
  // Stores to elements may have made another variable of an array: then it does not go on behind the loop.
  std::set<ir::SymbolId> whole, used;
  assigned_symbols(inside, whole, used);
  for (const auto& [name, var] : before)
    if (!temporaries.count(name) && var.slot && env_.count(name) &&
        (!env_[name].slot || env_[name].slot->id() != var.slot->id() || whole.count(var.slot->id()))) {
      state(&s).serial = true;
      p_.changed_here();
      env_ = before;
      return false;
    }
  std::vector<E> shared;
  for (ir::SymbolId id : used)
    if (!whole.count(id) && id != counter.id()) shared.push_back(f_->name(id));
  env_ = outer;
  f_->at(loc);
  f_->pfor({counter}, {range}, shared, [&] { f_->append(inside); });
  return true;
}

}  // namespace vr::matlab
