// Traversal, rewriting, comparison and hashing of trees, all derived from each node's fields().
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <cstddef>
#include <functional>

#pragma GCC visibility push(default)

namespace vr::ir {

/// Calls f with the node as its struct (Plus, Index, ...). f must accept every kind, or it does not compile.
template <class F>
decltype(auto) visit(const Expr& e, F&& f) {
  switch (e.kind) {
#define VR_EXPR(Name, word) \
  case Kind::Name: return f(static_cast<const ir::Name&>(e));
#define VR_STMT(Name, word) case Kind::Name: break;
#include <velociraptor/ir/nodes.def>
  }
  __builtin_unreachable();
}
template <class F>
decltype(auto) visit(const Stmt& s, F&& f) {
  switch (s.kind) {
#define VR_EXPR(Name, word) case Kind::Name: break;
#define VR_STMT(Name, word) \
  case Kind::Name: return f(static_cast<const ir::Name&>(s));
#include <velociraptor/ir/nodes.def>
  }
  __builtin_unreachable();
}

/// The node as T, or null when it is of another kind.
template <class T>
const T* as(const Node* n) {
  return n && n->kind == T::static_kind ? static_cast<const T*>(n) : nullptr;
}
template <class T>
const T* as(const ExprPtr& n) { return as<T>(static_cast<const Node*>(n.get())); }
template <class T>
const T* as(const StmtPtr& n) { return as<T>(static_cast<const Node*>(n.get())); }

/// Calls `on_expr` / `on_stmt` for each direct child, in field order (null children are skipped).
struct ChildVisitor {
  std::function<void(const ExprPtr&)> on_expr;
  std::function<void(const StmtPtr&)> on_stmt;
};
void for_each_child(const Expr& e, const ChildVisitor& v);
void for_each_child(const Stmt& s, const ChildVisitor& v);

/// Visits every expression under (and including) the node, parents first.
void walk_exprs(const ExprPtr& e, const std::function<void(const Expr&)>& f);
void walk_exprs(const Body& body, const std::function<void(const Expr&)>& f);
/// Visits every statement under the body, parents first.
void walk_stmts(const Body& body, const std::function<void(const Stmt&)>& f);

/// Rebuilds bottom-up: children first, then the node itself through the hook. Hooks return the node they were given to
/// keep it; an unchanged tree comes back as the same pointer. A statement hook may return any number of statements.
struct Rewriter {
  std::function<ExprPtr(const ExprPtr&)> expr;  ///< may be empty: keep
  std::function<Body(const StmtPtr&)> stmt;     ///< may be empty: keep
};
ExprPtr rewrite(const ExprPtr& e, const Rewriter& r);
Body rewrite(const Body& body, const Rewriter& r);

/// Structural equality and hash. Positions in the text (Node::pos) are ignored; `:loc` is compared.
bool equal(const Expr& a, const Expr& b);
bool equal(const Stmt& a, const Stmt& b);
bool equal(const Body& a, const Body& b);
bool equal(const Function& a, const Function& b);
bool equal(const Module& a, const Module& b);
size_t hash(const Expr& e);
size_t hash(const Stmt& s);
size_t hash(const Module& m);

}  // namespace vr::ir
#pragma GCC visibility pop
