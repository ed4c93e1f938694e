// The state of building a tree while its text is parsed, in parts with one purpose each. The functions that build nodes at the
// end of a rule take this: build_types.cpp, build_exprs.cpp, build_stmts.cpp, build_module.cpp.
#pragma once
#include <text/syntax_errors.hpp>
#include <text/value_stacks.hpp>

#include <velociraptor/ir/text.hpp>

#include <bitset>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace vr::text {

struct Places {
  std::vector<ir::TextPos> opens;  ///< each "(" around here
  ir::TextPos closed;              ///< the "(" of the group that ended last: that of a rule whose own ")" has been read
  ir::TextPos pos() const { return opens.empty() ? ir::TextPos{} : opens.back(); }
};

struct PlacedSymbol {
  ir::Symbol symbol;
  ir::TextPos pos;
};

/// State of the current function.
struct FunctionParts {
  std::vector<PlacedSymbol> symbols;
  bool bare_type = false;                  ///< its type lists inputs and outputs together (mclab)
  std::set<const ir::Expr*> typed_ranges;  ///< ranges that stated their type themselves
  ir::TextPos pos;
};

struct PartialTree {
  PartialTree(const ir::ParseOptions& options, VrirParserBase* parser) : options(options), errors(options, parser) {
    module->file = options.file;
  }

  const ir::ParseOptions& options;
  SyntaxErrors errors;
  ValueStacks stacks;
  Places places;
  FunctionParts function;
  std::shared_ptr<ir::Module> module = std::make_shared<ir::Module>();
  std::bitset<256> seen_module_attrs;
  size_t pending_attr = 0;  ///< the attribute whose value comes next; 0: none
  bool building = true;     ///< no syntax error in the current function
  size_t nodes = 0;
};

// These functions build nodes at the end of a rule; false: the rule is of another kind.
bool leave_type(PartialTree& tree, size_t rule);
bool leave_expr(PartialTree& tree, size_t rule);
bool leave_stmt(PartialTree& tree, size_t rule);
bool leave_module(PartialTree& tree, size_t rule);

/// To be called for each node.
void count_node(PartialTree& tree);
/// Leaves a mark for the enclosing rule.
void mark(PartialTree& tree, size_t head, size_t count);

}  // namespace vr::text
