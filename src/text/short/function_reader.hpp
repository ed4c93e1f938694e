// Parser for functions of the short syntax: headers, declarations, statements.
#pragma once
#include "text/short/expr_reader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace vr::text::brief {

class FunctionReader {
 public:
  FunctionReader(Cursor& cursor, const ir::Module& module, const ir::NameIndex& functions,
                 const ir::Conventions& conventions)
      : c_(cursor), scope_(module, functions, conventions), exprs_(c_, scope_) {}

  /// `def` or `extern` up to the end of the line: name, type, location, and for `def` the arguments and their symbols.
  void header(ir::Function& f);
  /// Reads the block after the header.
  void body(ir::Function& f);

 private:
  /// A variable that is declared by its first assignment or loop.
  struct Fresh {
    ir::TextPos pos;
    std::string name;
    std::optional<ir::SymbolId> id;
  };
  void arguments(ir::Function& f);
  ir::SymbolId argument(std::vector<ir::Type>& types);
  void declarations();
  ir::Body block();
  ir::StmtPtr stmt();
  ir::StmtPtr assign_or_call();
  std::optional<Fresh> fresh();
  ir::SymbolId declare(const Fresh& x, ir::Type type);
  void declare(ir::Symbol s, ir::TextPos pos);
  ir::StmtPtr loop(bool parallel);
  ir::StmtPtr branch();
  ir::StmtPtr raise();
  ir::Type type();
  std::string end_of_header();
  template <class S>
  std::shared_ptr<S> made(std::shared_ptr<S> s, ir::TextPos pos, std::string loc) {
    s->pos = pos;
    s->loc = std::move(loc);
    c_.count_node();
    return s;
  }
  template <class S>
  ir::StmtPtr line(std::shared_ptr<S> s, ir::TextPos pos) {
    std::string loc = c_.location();
    c_.expect(TokenKind::Newline, "the end of the statement");
    return made(std::move(s), pos, std::move(loc));
  }

  Cursor& c_;
  Scope scope_;
  ExprReader exprs_;
};

}  // namespace vr::text::brief
