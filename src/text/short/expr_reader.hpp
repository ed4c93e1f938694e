// Parser for expressions of the short syntax.
#pragma once
#include "text/short/cursor.hpp"
#include "text/short/scope.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace vr::text::brief {

class ExprReader {
 public:
  ExprReader(Cursor& cursor, Scope& scope) : c_(cursor), scope_(scope) {}

  /// An expression whose operators bind at least as tightly as `precedence`.
  ir::ExprPtr expr(int precedence = 0);
  /// EXPR, EXPR, ...: at least one.
  std::vector<ir::ExprPtr> exprs();
  /// A variable: NAME, NAME#ID or #ID. Only the last may be one that is not declared.
  ir::SymbolId variable();

 private:
  ir::ExprPtr binary(ir::Kind kind, ir::ExprPtr lhs, ir::ExprPtr rhs, ir::TextPos pos);
  ir::ExprPtr unary(int precedence);
  ir::ExprPtr primary();
  ir::ExprPtr parenthesised();
  ir::ExprPtr number();
  bool at_number() const;
  ir::ExprPtr keyword();
  ir::ExprPtr conversion();
  ir::ExprPtr cast();
  ir::ExprPtr range();
  std::optional<bool> stated_exclude();
  ir::ExprPtr complex();
  std::optional<double> plain_float();
  ir::ExprPtr alloc(ir::AllocFunc func);
  ir::ExprPtr atomic();
  ir::ExprPtr named();
  ir::ExprPtr call(bool library, std::string name, ir::TextPos pos);
  ir::ExprPtr member(ir::SymbolId id, ir::TextPos pos);
  ir::ExprPtr index(ir::SymbolId id, ir::TextPos pos);
  std::vector<ir::Subscript> subscripts();
  ir::Subscript subscript();
  std::vector<ir::ExprPtr> arguments();
  double real(const Token& t, const char*& rest);

  /// Sets the node's source location and, unless it has one, its type.
  template <class N>
  ir::ExprPtr made(std::shared_ptr<N> n, ir::TextPos pos, bool typed = false) {
    n->pos = pos;
    if (!typed) n->type = scope_.type_of(*n);
    c_.count_node();
    return n;
  }

  Cursor& c_;
  Scope& scope_;
  int depth_ = 0;                         ///< of the expression that was read last
  const ir::Expr* bare_range_ = nullptr;  ///< the node that was read last if it is `range(...)` without a type
  const ir::Expr* large_ = nullptr;       ///< an integer beyond int64 that waits for its type
  bool large_allowed_ = false;            ///< the next number may be one
};

}  // namespace vr::text::brief
