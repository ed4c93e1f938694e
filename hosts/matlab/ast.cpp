#include "ast.hpp"

namespace vr::matlab {

const char* op_text(Op op) {
  switch (op) {
    case Op::None:
      return "";
    case Op::Plus:
      return "+";
    case Op::Minus:
      return "-";
    case Op::Times:
      return ".*";
    case Op::Rdivide:
      return "./";
    case Op::Ldivide:
      return ".\\";
    case Op::Power:
      return ".^";
    case Op::Mtimes:
      return "*";
    case Op::Mrdivide:
      return "/";
    case Op::Mldivide:
      return "\\";
    case Op::Mpower:
      return "^";
    case Op::Lt:
      return "<";
    case Op::Le:
      return "<=";
    case Op::Gt:
      return ">";
    case Op::Ge:
      return ">=";
    case Op::Eq:
      return "==";
    case Op::Ne:
      return "!=";
    case Op::And:
      return "&";
    case Op::Or:
      return "|";
    case Op::AndAnd:
      return "&&";
    case Op::OrOr:
      return "||";
    case Op::Not:
      return "!";
    case Op::Uplus:
      return "+";
    case Op::Uminus:
      return "-";
    case Op::Transpose:
      return ".'";
    case Op::Ctranspose:
      return "'";
    case Op::Increment:
      return "++";
    case Op::Decrement:
      return "--";
  }
  return "";
}

const Function* Unit::find(const std::string& name) const {
  for (const FunctionPtr& f : functions)
    if (f->name == name) return f.get();
  return nullptr;
}

bool assigns(const Expr& e) {
  if (e.kind == ExprKind::Assign) return true;
  for (const ExprPtr& a : e.args)
    if (a && assigns(*a)) return true;
  for (const auto& row : e.rows)
    for (const ExprPtr& a : row)
      if (assigns(*a)) return true;
  return false;
}

StmtPtr conditional_assignment(const ExprPtr& e) {
  if (e->kind != ExprKind::Binary || (e->op != Op::OrOr && e->op != Op::AndAnd)) return nullptr;
  const Expr& right = *e->args[1];
  if (right.kind != ExprKind::Assign || assigns(*right.args[1])) return nullptr;
  auto assign = std::make_shared<Stmt>();
  assign->kind = StmtKind::Assign;
  assign->pos = right.pos;
  assign->targets = {right.args[0]};
  assign->value = right.args[1];
  auto s = std::make_shared<Stmt>();
  s->kind = StmtKind::If;
  s->pos = e->pos;
  s->tests = {e->args[0]};
  s->bodies = {{}, {}};
  s->bodies[e->op == Op::OrOr ? 1 : 0] = {assign};
  s->sets_ans = SetsAns::Before;
  return s;
}

bool jumps(const Body& b) {
  for (const StmtPtr& s : b) {
    if (s->kind == StmtKind::Return || s->kind == StmtKind::Break || s->kind == StmtKind::Continue) return true;
    for (const Body& inner : s->bodies)
      if (jumps(inner)) return true;
  }
  return false;
}

StmtPtr block(Pos pos, Body body) {
  auto always = std::make_shared<Expr>();
  always->pos = pos;
  always->number = 1;
  auto s = std::make_shared<Stmt>();
  s->kind = StmtKind::If;
  s->pos = pos;
  s->tests = {always};
  s->bodies = {std::move(body)};
  return s;
}

}  // namespace vr::matlab
