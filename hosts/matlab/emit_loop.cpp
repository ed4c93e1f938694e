// Loops.
#include "emit.hpp"

#include <cmath>

namespace vr::matlab {

using ir::E;

namespace {
bool integral(const std::optional<double>& v) { return v && *v == std::floor(*v) && std::abs(*v) < kExact; }
}  // namespace

// A loop's head is where its body's end, `continue` and `break` meet the way in; what holds there holds behind the
// loop.
void loop_body(Emitter& em, const Stmt& s, Join& j, const std::function<void()>& start) {
  em.loops.push_back({&j, false, &s});
  start();
  if (em.alive) body(em, s.bodies[0]);
  if (em.alive) em.edge(j, em.loops.size() - 1);
  em.loops.pop_back();
}

void while_(Emitter& em, const Stmt& s) {
  if (assigns(*s.tests[0])) em.refuse(s.pos, "an assignment in the condition of a loop");
  Join& j = em.state(&s).join;
  j.round = -1;
  em.edge(j);
  const std::set<std::string>& changed = em.assigned(s.bodies[0]);
  for (auto& [name, counter] : j.counters)
    if (changed.count(root_name(name))) counter.reset();
  em.enter(j, true);
  // The test is part of every iteration; when it is one expression the loop is a plain one.
  std::optional<Val> test;
  const std::string loc = em.loc;
  const ir::Body before = em.f->apart([&] { test = em.condition(vr::matlab::test(em, *s.tests[0]), s.tests[0]->pos); });
  if (test->t.number && *test->t.number == 0) {
    em.f->append(before);
    return;
  }
  em.f->at(loc);
  if (before.empty()) {
    em.f->while_(test->e, [&] { loop_body(em, s, j, [] {}); });
  } else {
    em.f->while_(E(true), [&] {
      loop_body(em, s, j, [&] {
        em.f->append(before);
        em.f->if_(!test->e, [&] { em.f->break_(); });
      });
    });
  }
  em.enter(j, true);
}

void do_until(Emitter& em, const Stmt& s) {
  if (assigns(*s.tests[0])) em.refuse(s.pos, "an assignment in the condition of a loop");
  Join& j = em.state(&s).join;
  j.round = -1;
  em.edge(j);
  em.enter(j, false);
  // `continue` goes on with the test, so the test stands at the beginning of every iteration but the first. It may ask
  // for variables of the body, which are not known in the first round.
  const bool walked = em.state(&s).walked;
  if (!walked) em.program.changed_here();
  em.state(&s).walked = true;
  E again = em.temp("again", ir::boolean());
  em.f->assign(again, E(false));
  em.f->while_(E(true), [&] {
    loop_body(em, s, j, [&] {
      if (walked)
        em.f->if_(again, [&] {
          const Env head = em.env;
          em.at(s.tests[0]->pos);
          const Val test = em.condition(expr(em, s.tests[0]), s.tests[0]->pos);
          em.f->if_(test.e, [&] { em.f->break_(); });
          em.env = head;
        });
      em.f->assign(again, E(true));
    });
  });
  em.enter(j, false);
}

void for_(Emitter& em, const Stmt& s) {
  const Expr& over = *s.value;
  if (over.kind == ExprKind::Range) return for_range(em, s, over);
  for_columns(em, s);
}

// `for` over a range of VRIR with its counter; `start` gives the program's variable its value.
void count(Emitter& em, const Stmt& s, const E& counter, const E& range, const std::function<void()>& start) {
  if (s.parallel && em.unrolled.empty() && !em.state(&s).serial && pfor(em, s, counter, range, start)) return;
  Join& j = em.state(&s).join;
  j.round = -1;
  const std::string loc = em.loc;
  // If the loop never runs, MATLAB leaves an empty array in its variable. That is not modelled: a read of it bails out.
  em.env.erase(s.targets[0]->text);
  em.edge(j);
  const std::set<std::string>& changed = em.assigned(s.bodies[0]);
  for (auto& [name, c] : j.counters)
    if (changed.count(root_name(name))) c.reset();
  em.enter(j, true);
  em.f->at(loc);
  em.f->for_(counter, range, [&] { loop_body(em, s, j, start); });
  em.enter(j, true);
  after_loop(em, s.targets[0]->text);
}

void for_range(Emitter& em, const Stmt& s, const Expr& r) {
  const bool stepped = r.args.size() == 3;
  Val start = range_part(em, r.args[0]);
  Val step = stepped ? range_part(em, r.args[1]) : em.number(1);
  Val stop = range_part(em, r.args.back());
  if (unrolls(em, s, start, step, stop)) return unroll(em, s, start, step, stop);
  const std::string& name = s.targets[0]->text;
  Cls cls = Cls::Double;
  for (const Val* v : {&start, &step, &stop}) {
    if (is_integer(v->t.cls) || (v->t.cls == Cls::Single && cls == Cls::Double)) cls = v->t.cls;
  }
  if (is_integer(cls)) integer_range(em, {start, step, stop}, cls, r.pos);
  const bool whole_step = integral(step.t.number) && *step.t.number != 0;
  const bool whole_start = start.whole() || integral(start.t.number) || is_integer(start.t.cls);
  const bool fraction = start.t.number && !whole_start;
  if (cls == Cls::Single || fraction || !whole_step) {
    if (is_integer(cls)) em.refuse(r.pos, "a range of an integer class whose step is not known");
    // Numbers with fractions: VRIR counts as MATLAB does.
    E parts[3] = {em.elem(start, cls, false), em.elem(step, cls, false), em.elem(stop, cls, false)};
    for (E& p : parts) {
      p = em.named({Type::scalar(cls), p}, "bound");
      em.guard(!em.lib("isfinite", {p}), "a range without finite bounds");
    }
    clear_count(em, {parts[0], parts[1], parts[2]}, cls);
    E counter = em.temp(name.c_str(), ir::Type::scalar(*elem_of(cls)));
    return count(em, s, counter, ir::range_to(parts[0], parts[1], parts[2]),
                 [&] { em.set(name, {Type::scalar(cls), counter}); });
  }
  // Whole numbers: the loop counts in int64, where subscripts are cheap, and the variable is its value as a double.
  auto bound = [&](const Val& v, bool down) -> E {
    if (v.whole() || is_integer(v.t.cls) || v.t.cls == Cls::Logical) return em.elem(v, Cls::Int64, false);
    if (integral(v.t.number)) return E(static_cast<long>(*v.t.number));
    E x = em.named({Type::scalar(Cls::Double), em.elem(v, Cls::Double, false)}, "bound");
    em.guard(!(em.lib("abs", {x}) <= E(kExact)), "a range without bounds");
    clear_bound(em, x);
    return em.f->cast(em.lib(down ? "floor" : "ceil", {x}), ir::i64());
  };
  if (!whole_start) {
    start = {start.t, em.named({Type::scalar(Cls::Double), em.real(start)}, "start")};
    em.guard(start.e != em.lib("floor", {start.e}), "a loop whose start has a fraction");
  }
  E from = bound(start, true), to = bound(stop, *step.t.number > 0);
  E counter = em.temp((name + "_count").c_str(), ir::i64());
  E range = *step.t.number == 1 ? ir::range_to(from, to) : ir::range_to(from, E(static_cast<long>(*step.t.number)), to);
  count(em, s, counter, range, [&, counter] {
    if (cls != Cls::Double)
      return em.set(name, {Type::scalar(cls), em.f->cast(counter, ir::Type::scalar(*elem_of(cls)))});
    em.set(name, {Type::scalar(Cls::Double), em.f->cast(counter, ir::f64())});
    em.env.at(name).counter = counter;
  });
}

// Over the columns of an array.
void for_columns(Emitter& em, const Stmt& s) {
  const Val over = expr(em, s.value);
  if (over.t.is_aggregate() && over.t.lost.empty()) return for_elements(em, s, over);
  if (over.t.cls == Cls::Handle) em.refuse(s.value->pos, "a loop over a function handle");
  Val a = stored(em, over, s.value->pos);
  const std::string& name = s.targets[0]->text;
  E counter = em.temp((name + "_count").c_str(), ir::i64());
  if (a.t.is_scalar()) {
    a = em.named_value({a.t, em.elem(a, a.t.cls, a.t.complex)}, "over");
    return count(em, s, counter, ir::range_to(E(1), E(1)), [&] { em.set(name, a); });
  }
  if (a.t.rank() > 2) em.refuse(s.value->pos, "a loop over an array of more than two dimensions");
  E array = em.temp("over", a.e.type());
  em.f->assign(array, a.e);
  a.e = array;
  if (em.version.function->part) em.guard(em.extent(a, 2) == E(0), "a loop over an array without columns");
  if (!a.t.is_row())
    em.guard(em.f->binary(ir::Kind::And, em.extent(a, 1) == E(0), em.extent(a, 2) > E(0)), "a loop over empty columns");
  count(em, s, counter, ir::range_to(E(1), em.extent(a, 2)), [&] {
    Type t = Type::array(a.t.cls, {a.t.ext[0], 1}, a.t.complex);
    if (!t.is_scalar()) t.special = a.t.special & kMatrixForm;
    E column = a.t.is_row() ? em.f->index(array, {E(1), counter}) : em.f->index(array, {ir::all(), counter});
    em.set(name, em.value(t, column));
  });
}

}  // namespace vr::matlab
