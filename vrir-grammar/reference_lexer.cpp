#include "reference_lexer.hpp"

#include "VrirLexer.h"

namespace vr::text {

std::vector<ReferenceToken> reference_tokens(const std::string& text) {
  antlr4::ANTLRInputStream input(text);
  VrirLexer lexer(&input);
  std::vector<ReferenceToken> tokens;
  for (;;) {
    auto t = lexer.nextToken();
    bool end = t->getType() == antlr4::Token::EOF;
    tokens.push_back({t->getType(), end ? text.size() : t->getStartIndex(),
                      end ? 0 : t->getStopIndex() - t->getStartIndex() + 1, t->getLine(),
                      t->getCharPositionInLine() + 1});
    if (end) return tokens;
  }
}

}  // namespace vr::text
