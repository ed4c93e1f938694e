// Traversal of statements and expressions of the loop form, and copies of them in another function.
#pragma once
#include "loop/exprs.hpp"
#include "support/function_view.hpp"
#include "support/overloaded.hpp"

#include <map>
#include <set>
#include <vector>

namespace vr::lower {

bool mentions(ExprP e, VarId v);
std::set<VarId> variables(ExprP e);
/// Whether a part of the expression is a load.
bool loads(ExprP e);

/// Whether operands but the first may not be evaluated: of choices, conjunctions and disjunctions.
inline bool skips_operands(ExprP e) {
  return e->kind == Expr::Kind::Select || (e->kind == Expr::Kind::Binary && (e->op == Op::And || e->op == Op::Or));
}

/// Calls `f` with each expression (ExprP&) of the statement itself, not of nested statements; `f` may replace it. It and
/// each_assigned are called for almost every pass: what they do with a kind of statement is compiled once, not for each `f`.
void each_expr_of(Stmt& s, FunctionView<void(ExprP&)> f);
/// Calls `f` for each expression of the statement itself, not of nested statements.
template <class F>
void each_expr(const Stmt& s, F&& f) {
  each_expr_of(const_cast<Stmt&>(s), [&](ExprP& e) { f(static_cast<ExprP>(e)); });  // nothing is changed
}
/// The blocks nested in it.
std::vector<const Block*> parts(const Stmt& s);
std::vector<Block*> parts(Stmt& s);
/// Whether `f` holds for the expression or a part of it.
template <class F>
bool any_node(ExprP e, const F& f) {
  return e && (f(e) || any_node(e->a, f) || any_node(e->b, f) || any_node(e->c, f));
}
/// Calls `f` for each part of a condition that is a conjunction; else for the condition.
template <class F>
void each_conjunct(ExprP c, const F& f) {
  if (c->kind != Expr::Kind::Binary || c->op != Op::And || c->type != Scalar::Bool) return f(c);
  each_conjunct(c->a, f);
  each_conjunct(c->b, f);
}
/// A load or a store of one element.
struct ElementAccess {
  ExprP base, offset;
  Scalar type;
  int32_t alias_set;
  bool is_store;
};
/// Calls `f` for each load in the expression.
template <class F>
void each_load(ExprP e, const F& f) {
  any_node(e, [&](ExprP part) {
    if (part->kind == Expr::Kind::Load) f(ElementAccess{part->a, part->b, part->type, part->alias_set, false});
    return false;
  });
}
/// Calls `f` for each element that the statement itself, not nested statements, loads or stores; loads first. Atomic
/// operations, vectors and rows are not among them.
template <class F>
void each_access(const Stmt& s, const F& f) {
  each_expr(s, [&](ExprP e) { each_load(e, f); });
  if (auto* n = std::get_if<Store>(&s.node)) f(ElementAccess{n->base, n->offset, n->value->type, n->alias_set, true});
}
/// Whether `f` holds for the statement, or for one of a nested block.
template <class F>
bool any_statement(const Stmt& s, const F& f) {
  if (f(s)) return true;
  for (const Block* p : parts(s))
    for (const Stmt& inner : *p)
      if (any_statement(inner, f)) return true;
  return false;
}
/// Whether `f` holds for a statement of the block or of a nested block.
template <class F>
bool any_statement(const Block& b, const F& f) {
  for (const Stmt& s : b)
    if (any_statement(s, f)) return true;
  return false;
}
/// Whether one of them has a node of type Node.
template <class Node>
bool has(const Block& b) {
  return any_statement(b, [](const Stmt& s) { return std::holds_alternative<Node>(s.node); });
}
/// Whether the block has such a jump (Break or Continue) of the loop around it.
template <class Jump>
bool has_own(const Block& b) {
  for (const Stmt& s : b) {
    if (std::holds_alternative<Jump>(s.node)) return true;
    if (std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node)) continue;
    for (const Block* p : parts(s))
      if (has_own<Jump>(*p)) return true;
  }
  return false;
}
/// Whether the block is assignments, stores, conditions and faults alone: no loops, jumps or calls. Variables are then
/// named only in expressions and by SetVar.
bool is_scalar_code(const Block& b);
/// Whether the block only reports a fault: assignments, and then a Fail.
bool only_fails(const Block& b);
/// Whether the statement only leaves the loop around it where its condition holds.
bool only_breaks(const If& n);
/// Whether the block ends with a jump: control never reaches what follows the block.
bool goes_away(const Block& b);
/// Calls `f` for each variable that the statement itself assigns, without nested statements. Runtime calls that fill
/// descriptors assign the fields of those arrays; function calls also assign the owners whose references the callee takes; a
/// loop assigns its variable.
void each_assigned(const Function& fn, const Stmt& s, FunctionView<void(VarId)> f);
/// Calls `f` for each variable that the statement itself hands to a task, a kernel, a function or the runtime without
/// an expression that names it: captures, operands, the fields of arrays that are passed by descriptor.
void each_handed_over(const Function& fn, const Stmt& s, FunctionView<void(VarId)> f);
/// Whether an expression of the block, or of a nested block, names the variable.
bool mentions(const Block& b, VarId v);
/// The variables that these expressions name.
std::set<VarId> variables(const Block& b);
/// How often the text of the block assigns each variable; a loop is one assignment of its variable.
std::map<VarId, int> assignments(const Block& b);

/// The number of nodes of the expression, or of the expressions in the block, counted once for each use.
int64_t nodes(ExprP e);
int64_t nodes(const Block& b);

/// The expression with each of its operands replaced by `part` (ExprP to ExprP; also called for absent ones); the same
/// expression if no operand changes.
template <class F>
ExprP with_parts(Exprs& x, ExprP e, F&& part) {
  Expr n = *e;
  n.a = part(e->a);
  n.b = part(e->b);
  n.c = part(e->c);
  return n.a == e->a && n.b == e->b && n.c == e->c ? e : x.make(n);
}

/// The expression with other parts in place of those for which `instead` (ExprP to ExprP) returns one; null: the part
/// stays, and its own parts are asked about.
template <class F>
ExprP replaced(Exprs& x, ExprP e, const F& instead) {
  if (!e) return e;
  if (const ExprP other = instead(e)) return other;
  return with_parts(x, e, [&](ExprP part) { return replaced(x, part, instead); });
}
/// The expression with `by` in place of this node.
inline ExprP replaced(Exprs& x, ExprP e, ExprP node, ExprP by) {
  return replaced(x, e, [&](ExprP part) { return part == node ? by : nullptr; });
}

/// Copies the statements of elementwise loops (SetVar, Store, If, CountedLoop, Loop, Break, Fail) into another function, where variables
/// are made when they occur first. Alias sets are dropped: they hold only in the function that compared the arrays.
class BodyCopy {
 public:
  BodyCopy(Exprs& x, const Function& from, Function& to) : x_(x), from_(from), to_(to) {}

  VarId var(VarId v);
  ExprP expr(ExprP e);
  Block block(const Block& b);
  bool has(VarId v) const { return vars_.count(v) != 0; }

 private:
  Exprs& x_;
  const Function& from_;
  Function& to_;
  std::map<VarId, VarId> vars_;
};

}  // namespace vr::lower
