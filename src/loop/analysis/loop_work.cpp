#include "loop/analysis/loop_work.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

static int64_t cost(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::Math:
      return 10;
    case Expr::Kind::Load:
      return 1;
    case Expr::Kind::At:
      return 2;
    case Expr::Kind::Binary:
      return e.op == Op::Div || e.op == Op::Rem ? 5 : e.op <= Op::Mul;
    default:
      return 0;
  }
}

// Addresses, comparisons and selections are not counted: they cost next to nothing compared with the accesses they
// belong to.
void LoopWork::expr(ExprP e, bool counted) {
  if (!e) return;
  if (e->kind == Expr::Kind::Var) {
    if (!written.count(e->var)) read_first.insert(e->var);
    read.insert(e->var);
    return;
  }
  const bool load = e->kind == Expr::Kind::Load;
  if (counted) operations += cost(*e);
  for (ExprP part : {e->a, e->b, e->c}) expr(part, counted && !load);
}

void LoopWork::inside(const Block& body) {
  ++inner_;
  block(body);
  --inner_;
}

void LoopWork::block(const Block& b) {
  for (const Stmt& s : b)
    std::visit(Overloaded{[&](const SetVar& n) {
                            expr(n.value);
                            written.insert(n.var);
                          },
                          [&](const Store& n) {
                            for (ExprP e : {n.base, n.offset}) expr(e, false);
                            expr(n.value);
                            ++operations;
                          },
                          [&](const If& n) {
                            expr(n.cond);
                            block(n.then_body);
                            block(n.else_body);
                          },
                          [&](const CountedLoop& n) {
                            for (ExprP e : {n.lo, n.hi}) expr(e, false);
                            written.insert(n.var);
                            inside(n.body);
                          },
                          [&](const Loop& n) {
                            plain = plain && n.brief;
                            inside(n.body);
                          },
                          [&](const Break&) { plain = plain && inner_ > 0; }, [&](const auto&) { plain = false; }},
               s.node);
}

static bool is_slow(ExprP e) {
  if (!e) return false;
  if (e->kind == Expr::Kind::Math || (e->kind == Expr::Kind::Binary && e->op == Op::Div && is_float(e->type)))
    return true;
  return is_slow(e->a) || is_slow(e->b) || is_slow(e->c);
}

bool has_slow_operations(const Block& b) {
  return any_statement(b, [](const Stmt& s) {
    bool slow = false;
    each_expr(s, [&](ExprP e) { slow = slow || is_slow(e); });
    return slow;
  });
}

}  // namespace vr::lower
