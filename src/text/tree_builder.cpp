#include <text/tree_builder.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <new>

namespace vr::text {

using P = VrirParser;

void TreeBuilder::enter(size_t rule) {
  if (rule == P::RuleFunction) {
    // A new function starts without errors, also after one with errors, so that its own errors are reported.
    tree_.building = true;
    tree_.pending_attr = 0;
    tree_.stacks.clear();
    tree_.function.symbols.clear();
    tree_.function.bare_type = false;
    tree_.function.typed_ranges.clear();
  }
  tree_.stacks.begin(rule);
}

void TreeBuilder::token(const Scanned& t) {
  if (t.type == P::Lp) {
    tree_.places.opens.push_back(t.pos);
    if (tree_.stacks.frames.back().rule == P::RuleFunction && !tree_.stacks.frames.back().head)
      tree_.function.pos = t.pos;
    return;
  }
  Frame& f = tree_.stacks.frames.back();
  if (!f.head) f.head = t.type;
  if (t.type == P::Rp) {
    if (!tree_.places.opens.empty()) {
      tree_.places.closed = tree_.places.opens.back();
      tree_.places.opens.pop_back();
    }
    return;
  }
  if (!tree_.building) return;
  if (t.type == eof_token) return;
  if (t.text[0] == ':') {
    tree_.pending_attr = t.type;
    return;
  }
  bool value = f.rule == P::RuleWord || f.rule == P::RuleNumber;
  switch (t.type) {
    case P::Intval:
    case P::Floatval:
    case P::String:
    case P::TrueTok:
    case P::FalseTok:
    case P::ModuleText:
    case P::AutoTok:
      value = true;
  }
  if (!value) return;
  tree_.stacks.all_values.push_back({tree_.pending_attr, t.type, t.text, t.pos});
  if (tree_.pending_attr != P::AttrFastmath) tree_.pending_attr = 0;  // :fastmath is followed by a list of words
}

void TreeBuilder::leave(size_t rule) {
  // ANTLR also leaves rules while an exception (no memory) propagates; then their parts are incomplete.
  // It leaves them in a destructor, which must not throw.
  if (tree_.building && std::uncaught_exceptions() == exceptions_) {
    try {
      (void)(leave_expr(tree_, rule) || leave_type(tree_, rule) || leave_stmt(tree_, rule) ||
             leave_module(tree_, rule));
    } catch (const std::bad_alloc&) {
      no_memory_ = true;
      tree_.building = false;
    }
  }
  tree_.stacks.frames.pop_back();
}

void TreeBuilder::broken() { tree_.building = false; }

void TreeBuilder::error(ir::TextPos pos, std::string message, std::string hint) {
  tree_.errors.add(pos, std::move(message), std::move(hint));
}

void count_node(PartialTree& tree) {
  if (++tree.nodes != tree.options.max_nodes + 1) return;
  tree.errors.add(tree.places.pos(), fmt::format("the module has more than {} nodes", tree.options.max_nodes), "");
  tree.errors.stop();
}

void mark(PartialTree& tree, size_t head, size_t count) {
  tree.stacks.all_values.push_back({head, 0, {}, tree.places.closed, count});
}

}  // namespace vr::text
