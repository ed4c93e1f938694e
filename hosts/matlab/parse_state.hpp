// The parser's state; private to parse*.cpp.
#pragma once
#include "lexer.hpp"
#include "parser.hpp"

#include <initializer_list>
#include <utility>

namespace vr::matlab {

class Parser {
 public:
  Parser(std::vector<Token> tokens, const std::string& file) : tokens_(std::move(tokens)) { unit_.file = file; }
  Unit run();  ///< throws SyntaxError
  const Token& peek(size_t k = 0) const { return tokens_[std::min(at_ + k, tokens_.size() - 1)]; }
  bool is(std::string_view punct) const { return peek().kind == Tok::Punct && peek().text == punct; }
  bool key(std::string_view word) const { return peek().kind == Tok::Keyword && peek().text == word; }

 private:
  // Nesting is bounded, so that everything after may recurse.
  struct Deeper {
    Parser& p;
    explicit Deeper(Parser& parser) : p(parser) {
      if (++p.depth_ > 200) p.fail(p.peek().pos, "nested too deep");
    }
    ~Deeper() { --p.depth_; }
  };

  const Token& next() {
    const Token& t = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return t;
  }
  void expect(const char* punct);
  [[noreturn]] void fail(Pos pos, std::string message) const { throw SyntaxError{pos, std::move(message)}; }
  [[noreturn]] void unexpected(const std::string& wanted) const;

  // ---- parse_expr.cpp
  std::shared_ptr<Expr> node(ExprKind kind, Pos pos);
  ExprPtr make(ExprKind kind, Pos pos, Op op, std::vector<ExprPtr> args);
  bool element_ends() const;
  ExprPtr expr();
  ExprPtr binary(int level);
  ExprPtr range();
  ExprPtr unary();
  ExprPtr power();
  ExprPtr exponent();
  ExprPtr postfix();
  ExprPtr primary();
  ExprPtr matrix();
  ExprPtr handle();
  std::vector<ExprPtr> arguments(const char* close);

  // ---- parser.cpp
  std::shared_ptr<Stmt> stmt_node(StmtKind kind);
  FunctionPtr function();
  std::vector<Param> parameters();
  void skip_separators();
  Body body(std::initializer_list<const char*> ends);
  void block_end(const char* own, const Stmt& block, const char* word);
  StmtPtr statement();
  StmtPtr if_();
  StmtPtr loop(StmtKind kind, const char* own);
  StmtPtr for_();
  StmtPtr do_();
  StmtPtr switch_();
  StmtPtr other(const char* what);
  StmtPtr protected_block(const char* what, const char* part, const char* own);
  StmtPtr simple();
  void end_statement(Stmt& s);

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0, nodes_ = 0;
  bool in_matrix_ = false;
  Unit unit_;
};

}  // namespace vr::matlab
