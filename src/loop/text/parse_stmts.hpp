// Statements in the loop form's text (private to the parser, parse.cpp).
#pragma once
#include "loop/text/parse_exprs.hpp"

namespace vr::lower {

class StmtParser {
 public:
  StmtParser(Lexer& in, Names& names, ExprParser& exprs) : in_(in), names_(names), exprs_(exprs) {}

  Block block();  ///< until the closing brace, which is taken, too
  Block braces();

 private:
  void statement(Block& b);
  void assignment(Block& b);
  void row_statement(Block& b);
  CountedLoop counted_loop();
  Fail fail();
  ParallelFor parallel_for();
  Launch launch();
  Atomic atomic(VarId result);
  void runtime_call(Block& b, VarId result);
  CallFunction function_call(std::vector<Operand> results);
  Arg argument();
  SiteId site();
  SiteId maybe_site();
  ExprP expr() { return exprs_.expr(); }

  Lexer& in_;
  Names& names_;
  ExprParser& exprs_;
};

}  // namespace vr::lower
