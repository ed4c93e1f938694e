// Builds the tree while the text is parsed. Each rule's frame remembers how high the value stacks were when it began;
// when the rule ends, what lies above is its parts, and the node made of them takes their place.
#pragma once
#include <text/parser_base.hpp>

#include <velociraptor/ir/text.hpp>

#include <text/syntax_message.hpp>

#include <fmt/format.h>

#include <bitset>
#include <exception>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace vr::text {

class TreeBuilder final : public ParseEvents {
 public:
  TreeBuilder(const ir::ParseOptions& options, VrirParserBase* parser);

  void enter(size_t rule) override;
  void token(const Scanned& t) override;
  void leave(size_t rule) override;
  void broken() override;
  void error(ir::TextPos pos, std::string message, std::string hint) override;

  /// What was built is not whole.
  bool no_memory() const { return no_memory_; }
  std::vector<Diagnostic> take_errors() { return std::move(errors_); }
  /// The module; only when there were no errors.
  ir::ModulePtr take_module();

 private:
  // A token with a value, with the attribute before it (0: none); or a mark that a part of a rule leaves for the whole:
  // `attr` is then that part's head word and `count` how many nodes belong to it.
  struct Value {
    size_t attr = 0;
    size_t type = 0;
    std::string_view text;
    ir::TextPos pos;
    size_t count = 0;
  };
  struct Frame {
    size_t rule = 0;
    size_t head = 0;  // first token that is no "("
    size_t exprs = 0, stmts = 0, types = 0, values = 0, ids = 0, subscripts = 0;
  };

  // tree_builder.cpp: values and the stacks
  std::span<const Value> values() const { return {values_.data() + frame().values, values_.size() - frame().values}; }
  const Frame& frame() const { return frames_.back(); }
  ir::TextPos pos() const { return opens_.empty() ? ir::TextPos{} : opens_.back(); }
  const Value* find(size_t attr);
  const Value* need(size_t attr);
  int64_t integer(const Value& v, int64_t low, int64_t high);
  int32_t id(size_t attr);
  double number(const Value& v);
  std::string text(const Value& v);
  std::string text(size_t attr);
  bool boolean(const Value& v) const;
  std::optional<bool> optional_bool(size_t attr);
  std::string loc();
  bool mclab_only(ir::TextPos pos, const char* what, const char* hint);
  void mark(size_t head, size_t count) { values_.push_back({head, 0, {}, closed_, count}); }
  std::vector<ir::ExprPtr> take_exprs(size_t from);
  ir::Body take_stmts(size_t from);
  std::vector<ir::SymbolId> take_ids(size_t from);
  std::vector<ir::Subscript> take_subscripts();
  ir::Type take_type();
  ir::ExprPtr pop_expr();
  void count_node();
  template <class T, class... Args>
  void make_expr(Args&&... args);
  template <class T, class... Args>
  void make_stmt(Args&&... args);
  template <class T>
  T word_value(const Value& v, const char* what, std::initializer_list<std::pair<const char*, T>> words);

  // build_types.cpp, build_exprs.cpp, build_stmts.cpp, build_module.cpp: what a rule's end makes; false: not their rule
  bool leave_type(size_t rule);
  bool leave_expr(size_t rule);
  bool leave_stmt(size_t rule);
  bool leave_module(size_t rule);
  void function_type();
  void domain_type();
  void make_binary(ir::Kind kind, ir::Type type, ir::ExprPtr lhs, ir::ExprPtr rhs);
  void logic();
  void range();
  void domain();
  void subscript();
  void index();
  void xchange();
  void pfor();
  void function();
  void module_attr();

  const ir::ParseOptions& options_;
  VrirParserBase* parser_;
  std::vector<Frame> frames_;
  std::vector<ir::TextPos> opens_;
  ir::TextPos closed_;  // the "(" of the group that ended last: that of a rule whose own ")" has been read
  size_t pending_attr_ = 0;

  std::vector<ir::ExprPtr> exprs_;
  std::vector<ir::StmtPtr> stmts_;
  std::vector<ir::Type> types_;
  std::vector<Value> values_;
  std::vector<ir::SymbolId> ids_;
  std::vector<ir::Subscript> subscripts_;

  struct PlacedSymbol {
    ir::Symbol symbol;
    ir::TextPos pos;
  };
  std::vector<PlacedSymbol> symbols_;      // of the current function
  bool bare_functype_ = false;             // the current function's type lists inputs and outputs together (mclab)
  std::set<const ir::Expr*> range_types_;  // ranges that stated their type themselves
  ir::TextPos function_pos_;
  std::bitset<256> seen_module_attrs_;

  std::shared_ptr<ir::Module> module_ = std::make_shared<ir::Module>();
  std::vector<Diagnostic> errors_;
  bool building_ = true;
  bool no_memory_ = false;
  const int exceptions_ = std::uncaught_exceptions();  ///< under way when this was made
  size_t nodes_ = 0;
};

template <class T>
T TreeBuilder::word_value(const Value& v, const char* what, std::initializer_list<std::pair<const char*, T>> words) {
  std::string word = text(v), all;
  for (auto& [name, value] : words) {
    if (word == name) return value;
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  error(v.pos, fmt::format("unknown {} '{}'", what, word), fmt::format("known are {}", all));
  return words.begin()->second;
}

/// `n` set to its place and stored: every expression and statement of a text is made here.
template <class T, class... Args>
void TreeBuilder::make_expr(Args&&... args) {
  const Frame f = frame();
  auto n = std::make_shared<T>(std::forward<Args>(args)...);
  n->pos = pos();
  count_node();
  exprs_.resize(f.exprs);
  types_.resize(f.types);
  values_.resize(f.values);
  subscripts_.resize(f.subscripts);
  exprs_.push_back(std::move(n));
}
template <class T, class... Args>
void TreeBuilder::make_stmt(Args&&... args) {
  auto n = std::make_shared<T>(std::forward<Args>(args)...);
  n->pos = pos();
  n->loc = loc();
  count_node();
  const Frame f = frame();
  exprs_.resize(f.exprs);
  stmts_.resize(f.stmts);
  values_.resize(f.values);
  ids_.resize(f.ids);
  stmts_.push_back(std::move(n));
}

}  // namespace vr::text
