// Creates nodes from the contents of the stacks: every expression and statement of a text is created here.
#pragma once
#include <text/partial_tree.hpp>
#include <text/token_values.hpp>

#include <memory>
#include <utility>

namespace vr::text {

/// Replaces the rule's parts on the stack by the node.
template <class T, class... Args>
void make_expr(PartialTree& tree, Args&&... args) {
  const Frame f = tree.stacks.frame();
  auto n = std::make_shared<T>(std::forward<Args>(args)...);
  n->pos = tree.places.pos();
  count_node(tree);
  tree.stacks.exprs.resize(f.exprs);
  tree.stacks.types.resize(f.types);
  tree.stacks.all_values.resize(f.values);
  tree.stacks.subscripts.resize(f.subscripts);
  tree.stacks.exprs.push_back(std::move(n));
}
template <class T, class... Args>
void make_stmt(PartialTree& tree, Args&&... args) {
  auto n = std::make_shared<T>(std::forward<Args>(args)...);
  n->pos = tree.places.pos();
  n->loc = loc(tree);
  count_node(tree);
  const Frame f = tree.stacks.frame();
  tree.stacks.exprs.resize(f.exprs);
  tree.stacks.stmts.resize(f.stmts);
  tree.stacks.all_values.resize(f.values);
  tree.stacks.ids.resize(f.ids);
  tree.stacks.stmts.push_back(std::move(n));
}

}  // namespace vr::text
