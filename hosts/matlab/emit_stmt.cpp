// Statements without loops.
#include "emitter.hpp"

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
bool is_empty_matrix(const ExprPtr& e) { return e && e->kind == ExprKind::Matrix && e->rows.empty(); }
}  // namespace

void Emitter::body(const Body& b) {
  for (size_t k = 0; k < b.size() && alive_; ++k) {
    if (section_mark(*b[k]) != Mark::Begin) {
      stmt(*b[k]);
      continue;
    }
    at(b[k]->pos);
    size_t end = k + 1;
    while (end < b.size() && section_mark(*b[end]) == Mark::None) ++end;
    const bool closed = end < b.size() && section_mark(*b[end]) == Mark::End;
    if (!closed) {
      p_.refuse({b[k]->pos, "an accelerated section that has no end in the same block", "write %#vr end"}, false, "");
      return;
    }
    f_->gpu([&] {
      for (size_t i = k + 1; i < end && alive_; ++i) stmt(*b[i]);
    });
    k = end;
  }
}

void Emitter::stmt(const Stmt& s) {
  const int inlined = inlined_;
  at(s.pos);
  try {
    switch (s.kind) {
      case StmtKind::Assign:
        return assign(s);
      case StmtKind::Expr: {
        const Mark mark = section_mark(s);
        if (mark == Mark::End) refuse(s.pos, "an accelerated section ends that has not begun in the same block");
        const Expr& e = *s.value;
        std::vector<Val> v = several(e, 0);
        if (!alive_) return;
        if (v.empty()) return;
        if (s.printed) refuse(s.pos, "a statement that shows its value", "end it with a semicolon");
        // A value that nobody asked for is `ans`, but for a variable's own.
        if (e.kind != ExprKind::Name || !is_variable(e.text)) set("ans", v[0]);
        return;
      }
      case StmtKind::If:
        return branches(s, [&](size_t k) { return condition(expr(s.tests[k]), s.tests[k]->pos); });
      case StmtKind::Switch:
        return switch_(s);
      case StmtKind::While:
        return while_(s);
      case StmtKind::DoUntil:
        return do_until(s);
      case StmtKind::For:
        return for_(s);
      case StmtKind::Break:
      case StmtKind::Continue: {
        if (loops_.empty()) refuse(s.pos, "a jump outside of loops");
        if (loops_.back().parallel) {
          NodeState& loop = state(loops_.back().stmt);
          if (!loop.serial) p_.changed_here();
          loop.serial = true;
          throw NotYet{};
        }
        edge(*loops_.back().join, loops_.size() - 1);
        if (s.kind == StmtKind::Break)
          f_->break_();
        else
          f_->continue_();
        alive_ = false;
        return;
      }
      case StmtKind::Return:
        if (parallel_ > 0) {
          for (const Loop& l : loops_)
            if (l.parallel) {
              if (!state(l.stmt).serial) p_.changed_here();
              state(l.stmt).serial = true;
            }
          throw NotYet{};
        }
        return return_();
      case StmtKind::Pragma:
        if (section_mark(s) == Mark::End)
          refuse(s.pos, "an accelerated section ends that has not begun in the same block");
        return;
      case StmtKind::Other:
        refuse(s.pos, s.text, "such functions stay with the interpreter");
    }
  } catch (const Refused& r) {
    inlined_ = inlined;
    p_.refuse(r, conditional_ > 0, v_.function->name);
    bail(r.what);
  } catch (const NotYet&) {
    inlined_ = inlined;
    bail("a call that never returns");
  }
}

// ---------------------------------------------------------------- assignments

void Emitter::assign(const Stmt& s) {
  if (s.printed) refuse(s.pos, "a statement that shows its value", "end it with a semicolon");
  for (const ExprPtr& t : s.targets)
    if (t && (t->kind == ExprKind::Brace || t->kind == ExprKind::Field))
      refuse(t->pos, t->kind == ExprKind::Brace ? "a cell array" : "a structure");
  if (s.targets.size() == 1) {
    const ExprPtr& target = s.targets[0];
    if (s.op != Op::None) return assign_to(target, binary(s.op, expr(target), expr(s.value), s.pos));
    if (target->kind == ExprKind::Index && is_empty_matrix(s.value)) return erase(*target);
    if (s.value->kind == ExprKind::Assign) {  // a = b = c
      Stmt inner = s;
      inner.targets = {s.value->args[0]};
      inner.value = s.value->args[1];
      assign(inner);
      if (alive_) assign_to(target, expr(inner.targets[0]));
      return;
    }
    std::vector<Val> v = several(*s.value, 1);
    if (!alive_) return;
    if (v.empty()) refuse(s.pos, "the right side has no value");
    return assign_to(target, v[0]);
  }
  std::vector<Val> values = several(*s.value, static_cast<int>(s.targets.size()));
  if (!alive_) return;
  if (values.size() < s.targets.size()) refuse(s.pos, "more variables than the right side has results");
  for (Val& v : values)  // an earlier target may be what a later value is made of
    v = v.t.has_storage() && !v.t.number ? Val{v.t,
                                               [&] {
                                                 E t = temp("result", v.e.type());
                                                 f_->assign(t, v.e);
                                                 return t;
                                               }()}
                                         : v;
  for (size_t k = 0; k < s.targets.size(); ++k)
    if (s.targets[k]) assign_to(s.targets[k], values[k]);
}

void Emitter::assign_to(const ExprPtr& target, const Val& v) {
  if (target->kind == ExprKind::Name) return set(target->text, v);
  if (target->kind == ExprKind::Index) return store(*target, v);
  refuse(target->pos, "this cannot be assigned to");
}

// ---------------------------------------------------------------- if and switch

// Branch k of the tests and those behind it. Tests whose outcome is known leave no trace.
void Emitter::chain(const Stmt& s, const std::function<Val(size_t)>& test, size_t k, Join& j) {
  auto take = [&](const Body& b) {
    body(b);
    if (alive_) edge(j);
    alive_ = false;
  };
  if (k == s.tests.size()) {
    if (s.bodies.size() > k) return take(s.bodies[k]);
    edge(j);
    alive_ = false;
    return;
  }
  at(s.tests[k]->pos.line ? s.tests[k]->pos : s.pos);
  const Val c = test(k);
  if (c.t.number) return *c.t.number != 0 ? take(s.bodies[k]) : chain(s, test, k + 1, j);
  const Env before = env_;
  ++conditional_;
  auto inside = [&](const ir::FunctionBuilder::Block& block) {
    env_ = before;
    alive_ = true;
    return f_->apart([&] {
      try {
        block();
      } catch (const Refused& r) {  // of a later test
        p_.refuse(r, true, v_.function->name);
        bail(r.what);
      } catch (const NotYet&) {
        bail("a call that never returns");
      }
    });
  };
  const std::string loc = loc_;
  ir::Body yes = inside([&] { take(s.bodies[k]); });
  ir::Body no = inside([&] { chain(s, test, k + 1, j); });
  --conditional_;
  f_->at(loc);
  f_->if_(
      c.e, [&] { f_->append(yes); }, [&] { f_->append(no); });
  alive_ = false;
}

void Emitter::branches(const Stmt& s, const std::function<Val(size_t)>& test) {
  Join& j = state(&s).join;
  const int conditional = conditional_;
  j.round = -1;
  try {
    chain(s, test, 0, j);
  } catch (...) {
    conditional_ = conditional;
    throw;
  }
  if (j.round == p_.round) enter(j, true);
}

void Emitter::switch_(const Stmt& s) {
  const Val v = named_value(expr(s.value), "switch");
  branches(s, [&](size_t k) { return matches(v, *s.tests[k]); });
}

// Whether a value is that of a case: equal text, or an equal number; of a list in braces, one of them.
Val Emitter::matches(const Val& v, const Expr& label) {
  if (label.kind == ExprKind::Cell) {
    std::optional<Val> any;
    for (const auto& row : label.rows)
      for (const ExprPtr& e : row) {
        Val one = matches(v, *e);
        if (one.t.number && *one.t.number != 0) return one;
        if (one.t.number) continue;
        any = any ? Val{Type::scalar(Cls::Logical), f_->binary(ir::Kind::Or, any->e, one.e)} : one;
      }
    return any ? *any : truth(false);
  }
  const Val l = expr(label);
  if (l.t.cls == Cls::Char || v.t.cls == Cls::Char) {
    if (!v.t.lost.empty() || !l.t.lost.empty()) refuse(label.pos, "text that is not known");
    return truth(l.t.cls == v.t.cls && l.t.text == v.t.text);
  }
  if (l.t.is_empty() && v.t.is_empty()) return truth(true);
  if (!l.t.is_scalar() || !v.t.is_scalar()) refuse(label.pos, "a switch on an array");
  return compare(Op::Eq, v, l, label.pos);
}

}  // namespace vr::matlab
