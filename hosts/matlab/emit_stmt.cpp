// Statements without loops.
#include "emit.hpp"

#include <cmath>

namespace vr::matlab {

using ir::E;

namespace {
// Sections for the device: `%#vr gpu` ... `%#vr end`, or the thesis's gpu_begin; ... gpu_end;
enum class Mark { None, Begin, End };
Mark section_mark(const Stmt& s) {
  if (s.kind == StmtKind::Pragma) return s.text == "gpu" ? Mark::Begin : s.text == "end" ? Mark::End : Mark::None;
  if (s.kind != StmtKind::Expr || !s.value) return Mark::None;
  const Expr* e = s.value.get();
  if (e->kind == ExprKind::Index && e->args.size() == 1) e = e->args[0].get();
  if (e->kind != ExprKind::Name) return Mark::None;
  return e->text == "gpu_begin" ? Mark::Begin : e->text == "gpu_end" ? Mark::End : Mark::None;
}
// mcvm_shared(a, b): names the shared variables of a parallel loop, which are inferred.
bool is_shared_mark(const Expr& e) {
  const Expr& name = e.kind == ExprKind::Index ? *e.args[0] : e;
  return name.kind == ExprKind::Name && name.text == "mcvm_shared";
}
/// The variable that an assignment to the target changes.
const std::string& assigned_name(const Expr& target) {
  const Expr* e = &target;
  while (e->kind == ExprKind::Index || e->kind == ExprKind::Brace || e->kind == ExprKind::Field) e = e->args[0].get();
  return e->text;
}
bool is_empty_matrix(const ExprPtr& e) { return e && e->kind == ExprKind::Matrix && e->rows.empty(); }
}  // namespace

void body(Emitter& em, const Body& b) {
  for (size_t k = 0; k < b.size() && em.alive; ++k) {
    if (section_mark(*b[k]) != Mark::Begin) {
      stmt(em, *b[k]);
      continue;
    }
    em.at(b[k]->pos);
    size_t end = k + 1;
    while (end < b.size() && section_mark(*b[end]) == Mark::None) ++end;
    const bool closed = end < b.size() && section_mark(*b[end]) == Mark::End;
    if (!closed) {
      em.program.refuse({b[k]->pos, "an accelerated section that has no end in the same block", "write %#vr end"},
                        false, "");
      return;
    }
    em.f->gpu([&] {
      for (size_t i = k + 1; i < end && em.alive; ++i) stmt(em, *b[i]);
    });
    k = end;
  }
}

void stmt(Emitter& em, const Stmt& s) {
  const int inlined = em.inlined;
  em.at(s.pos);
  try {
    switch (s.kind) {
      case StmtKind::Assign:
        return assign(em, s);
      case StmtKind::Expr: {
        const Mark mark = section_mark(s);
        if (mark == Mark::End) em.refuse(s.pos, "an accelerated section ends that has not begun in the same block");
        const Expr& e = *s.value;
        if (is_shared_mark(e)) return;
        std::vector<Val> v = several(em, e, 0);
        if (!em.alive) return;
        if (v.empty()) return;
        if (v.size() > 1 && e.kind == ExprKind::Brace) em.refuse(s.pos, "a statement with several values");
        // The value of an expression statement is `ans`, unless the expression is a variable.
        const bool variable = e.kind == ExprKind::Name && em.is_variable(e.text);
        if (!variable) em.set("ans", v[0]);
        if (s.printed) show_variable(em, variable ? e.text : "ans", s.pos);
        return;
      }
      case StmtKind::If:
        branches(em, s, [&](size_t k) { return em.condition(test(em, *s.tests[k]), s.tests[k]->pos); });
        if (s.sets_ans != SetsAns::No && em.alive) {
          Var ans;
          ans.t.lost = "it is what a condition with an assignment gives";
          em.env["ans"] = ans;
        }
        return;
      case StmtKind::Switch:
        return switch_(em, s);
      case StmtKind::While:
        return while_(em, s);
      case StmtKind::DoUntil:
        return do_until(em, s);
      case StmtKind::For:
        return for_(em, s);
      case StmtKind::Break:
      case StmtKind::Continue: {
        if (em.loops.empty()) em.refuse(s.pos, "a jump outside of loops");
        if (em.loops.back().parallel) {
          NodeState& loop = em.state(em.loops.back().stmt);
          if (!loop.serial) em.program.changed_here();
          loop.serial = true;
          throw NotYet{};
        }
        em.edge(*em.loops.back().join, em.loops.size() - 1);
        if (s.kind == StmtKind::Break)
          em.f->break_();
        else
          em.f->continue_();
        em.alive = false;
        return;
      }
      case StmtKind::Return:
        if (em.parallel > 0) {
          for (const Loop& l : em.loops)
            if (l.parallel) {
              if (!em.state(l.stmt).serial) em.program.changed_here();
              em.state(l.stmt).serial = true;
            }
          throw NotYet{};
        }
        em.version.returns_early = em.version.returns_early || em.conditional > 0;
        em.return_(true);
        return;
      case StmtKind::Pragma:
        if (section_mark(s) == Mark::End)
          em.refuse(s.pos, "an accelerated section ends that has not begun in the same block");
        return;
      case StmtKind::Other:
        em.refuse(s.pos, s.text, "such functions stay with the interpreter");
    }
  } catch (const Refused& r) {
    em.inlined = inlined;
    em.program.refuse(r, em.conditional > 0, em.version.function->name);
    em.bail(r.what);
  } catch (const NotYet&) {
    em.inlined = inlined;
    em.bail("a call that never returns");
  }
}

// ---------------------------------------------------------------- assignments

namespace {
// a += b. Octave computes in place, which cannot make `a` larger: where a + b would, there is an error.
void update(Emitter& em, const Stmt& s) {
  Val a = expr(em, s.targets[0]);
  const bool in_place = s.op == Op::Plus || s.op == Op::Minus || s.op == Op::Times || s.op == Op::Rdivide;
  if (!in_place || a.t.is_scalar() || !a.t.has_storage())
    return assign_to(em, s.targets[0], binary(em, s.op, a, expr(em, s.value), s.pos));
  a = em.named_value(a, "before");
  const Val b = expr(em, s.value), r = em.named_value(binary(em, s.op, a, b, s.pos), "after");
  for (int k = 0; k < r.t.rank() && !b.t.is_scalar(); ++k) {
    const int64_t had = k < a.t.rank() ? a.t.ext[k] : 1, has = r.t.ext[k];
    if (had >= 0 && has >= 0 && had != has) em.refuse(s.pos, "an operation in place that changes the shape");
    if (had < 0 || has < 0)
      em.guard(em.extent(a, k + 1) != em.extent(r, k + 1), "an operation in place that changes the shape");
  }
  assign_to(em, s.targets[0], r);
}
}  // namespace

namespace {
void assign_one(Emitter& em, const Stmt& s) {
  const ExprPtr& target = s.targets[0];
  if (s.op != Op::None) {
    if (s.sets_ans == SetsAns::Before) em.set("ans", expr(em, target));
    update(em, s);
    if (s.sets_ans == SetsAns::After && em.alive) em.set("ans", expr(em, target));
    return;
  }
  if (target->kind == ExprKind::Index && is_empty_matrix(s.value)) return erase(em, *listed_subscripts(em, target));
  if (s.value->kind == ExprKind::Assign) {  // a = b = c
    Stmt inner = s;
    inner.targets = {s.value->args[0]};
    inner.value = s.value->args[1];
    assign_one(em, inner);
    if (em.alive) assign_to(em, target, expr(em, inner.targets[0]));
    return;
  }
  std::vector<Val> v = several(em, *s.value, 1);
  if (!em.alive) return;
  if (v.empty()) em.refuse(s.pos, "the right side has no value");
  if (v.size() > 1 && s.value->kind == ExprKind::Brace) em.refuse(s.pos, "several values where one should be");
  assign_to(em, target, v[0]);
}
}  // namespace

void assign(Emitter& em, const Stmt& s) {
  if (s.printed && s.sets_ans != SetsAns::No) em.refuse(s.pos, "x++ or ++x that shows its value");
  if (s.targets.size() == 1) {
    assign_one(em, s);
    if (s.printed && em.alive) show_variable(em, assigned_name(*s.targets[0]), s.pos);
    return;
  }
  std::vector<Val> values = several(em, *s.value, static_cast<int>(s.targets.size()));
  if (!em.alive) return;
  if (values.size() < s.targets.size()) em.refuse(s.pos, "more variables than the right side has results");
  for (Val& v : values) v = kept(em, v, "result");  // an earlier target may be what a later value is made of
  for (size_t k = 0; k < s.targets.size(); ++k) {
    if (!s.targets[k]) continue;
    assign_to(em, s.targets[k], values[k]);
    if (s.printed) show_variable(em, assigned_name(*s.targets[k]), s.pos);
  }
}

void assign_to(Emitter& em, const ExprPtr& target, const Val& v) {
  if (target->kind == ExprKind::Name) return em.set(target->text, v);
  if (store_in_structs(em, *target, v) || store_in_list(em, *target, v)) return;
  if (target->kind == ExprKind::Field || target->kind == ExprKind::Brace) return em.set(place(em, *target), v);
  if (target->kind == ExprKind::Index && (store_one_cell(em, *target, v) || store_within_list(em, *target, v))) return;
  if (target->kind == ExprKind::Index) return store(em, *listed_subscripts(em, target), v);
  em.refuse(target->pos, "this cannot be assigned to");
}

// ---------------------------------------------------------------- if and switch

// Branch k of the tests and those after it. Tests whose outcome is known emit no code.
void chain(Emitter& em, const Stmt& s, const std::function<Val(size_t)>& test, size_t k, Join& j) {
  auto take = [&](const Body& b) {
    body(em, b);
    if (em.alive) em.edge(j);
    em.alive = false;
  };
  if (k == s.tests.size()) {
    if (s.bodies.size() > k) return take(s.bodies[k]);
    em.edge(j);
    em.alive = false;
    return;
  }
  em.at(s.tests[k]->pos.line ? s.tests[k]->pos : s.pos);
  const Val c = test(k);
  if (c.t.number) return *c.t.number != 0 ? take(s.bodies[k]) : chain(em, s, test, k + 1, j);
  const Env before = em.env;
  ++em.conditional;
  auto inside = [&](const ir::FunctionBuilder::Block& block) {
    em.env = before;
    em.alive = true;
    return em.f->apart([&] {
      try {
        block();
      } catch (const Refused& r) {  // of a later test
        em.program.refuse(r, true, em.version.function->name);
        em.bail(r.what);
      } catch (const NotYet&) {
        em.bail("a call that never returns");
      }
    });
  };
  const std::string loc = em.loc;
  ir::Body yes = inside([&] { take(s.bodies[k]); });
  ir::Body no = inside([&] { chain(em, s, test, k + 1, j); });
  --em.conditional;
  em.f->at(loc);
  em.f->if_(c.e, [&] { em.f->append(yes); }, [&] { em.f->append(no); });
  em.alive = false;
}

void branches(Emitter& em, const Stmt& s, const std::function<Val(size_t)>& test) {
  Join& j = em.state(&s).join;
  const int conditional = em.conditional;
  j.round = -1;
  try {
    chain(em, s, test, 0, j);
  } catch (...) {
    em.conditional = conditional;
    throw;
  }
  if (j.round == em.program.round) em.enter(j, true);
}

void switch_(Emitter& em, const Stmt& s) {
  const Val v = em.named_value(expr(em, s.value), "switch");
  branches(em, s, [&](size_t k) { return matches(em, v, *s.tests[k]); });
}

// Whether a value matches a case: equal text or an equal number; for a list in braces, one of its elements.
Val matches(Emitter& em, const Val& v, const Expr& label) {
  if (label.kind == ExprKind::Cell) {
    std::optional<Val> any;
    for (const auto& row : label.rows)
      for (const ExprPtr& e : row) {
        Val one = matches(em, v, *e);
        if (one.t.number && *one.t.number != 0) return one;
        if (one.t.number) continue;
        any = any ? Val{Type::scalar(Cls::Logical), em.f->binary(ir::Kind::Or, any->e, one.e)} : one;
      }
    return any ? *any : em.truth(false);
  }
  // Equal numbers of rows and columns, and all elements equal; text is compared by characters.
  const Val l = expr(em, label);
  for (const Type* t : {&l.t, &v.t}) {
    if (!t->lost.empty()) em.refuse(label.pos, t->lost);
    if (t->rank() > 2) em.refuse(label.pos, "a switch on an array of more than two dimensions");
  }
  if (l.t.is_aggregate() || v.t.is_aggregate())
    em.refuse(label.pos, "a switch on " + aggregate_name(l.t.is_aggregate() ? l.t : v.t));
  if (l.t.text && v.t.text) return em.truth(l.t.text == v.t.text);
  if (l.t.cls == Cls::Char && v.t.cls == Cls::Char)
    for (const Val* x : {&l, &v})
      if (!x->t.text) em.guard(em.elements(*x) == E(0), "a switch on empty text");
  for (size_t k = 0; k < 2; ++k)
    if (l.t.ext[k] >= 0 && v.t.ext[k] >= 0 && l.t.ext[k] != v.t.ext[k]) return em.truth(false);
  if (l.t.is_empty() && v.t.is_empty() && l.t.ext == v.t.ext && l.t.ext[0] >= 0 && l.t.ext[1] >= 0)
    return em.truth(true);
  return equal_arrays(em, v, l, label.pos);
}

}  // namespace vr::matlab
