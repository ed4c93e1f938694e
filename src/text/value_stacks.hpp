// The parts, so far, of the rules that have begun: values of tokens, and nodes of the tree. Each rule's frame records the height
// of the stacks at its begin; when the rule ends, the entries above that are its parts, and the node built from them replaces
// them.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace vr::text {

/// A token with a value, and the attribute before it (0: none); or a mark that a part of a rule leaves for the rule: `attr` is
/// then that part's head word and `count` the number of its nodes.
struct Value {
  size_t attr = 0;
  size_t type = 0;
  std::string_view text;
  ir::TextPos pos;
  size_t count = 0;
};

struct Frame {
  size_t rule = 0;
  size_t head = 0;  ///< first token that is no "("
  size_t exprs = 0, stmts = 0, types = 0, values = 0, ids = 0, subscripts = 0;
};

struct ValueStacks {
  std::vector<Frame> frames;
  std::vector<ir::ExprPtr> exprs;
  std::vector<ir::StmtPtr> stmts;
  std::vector<ir::Type> types;
  std::vector<Value> all_values;
  std::vector<ir::SymbolId> ids;
  std::vector<ir::Subscript> subscripts;

  void begin(size_t rule);
  const Frame& frame() const { return frames.back(); }
  /// Refers to the rule that ends.
  std::span<const Value> values() const {
    return {all_values.data() + frame().values, all_values.size() - frame().values};
  }
  /// All stacks except the frames.
  void clear();

  std::vector<ir::ExprPtr> take_exprs(size_t from);
  ir::Body take_stmts(size_t from);
  std::vector<ir::SymbolId> take_ids(size_t from);
  std::vector<ir::Subscript> take_subscripts();
  ir::Type take_type();
  ir::ExprPtr pop_expr();
};

}  // namespace vr::text
