// The sentence for a syntax error: "expected (rhs ...) after (lhs ...) in assignstmt, found 'foo'".
#pragma once
#include <text/parser_base.hpp>

#include <string>
#include <utility>
#include <vector>

namespace vr::text {

/// The state of the parser at the token that it could not accept.
struct SyntaxSituation {
  const antlr4::atn::ATN* atn = nullptr;
  std::vector<size_t> states;  ///< every state in which something was expected at this token
  Scanned found, next;         ///< the token, and the one after it
  const std::vector<OpenGroup>* groups = nullptr;
  size_t last_type = 0;  ///< token before `found`
  std::string_view last_text;
};

/// The message and a hint (which may be empty).
std::pair<std::string, std::string> syntax_message(const SyntaxSituation& s);

/// Program text as it appears in a message: at most 40 bytes, unprintable ones as \xHH, in single quotes.
std::string shown(std::string_view text);

}  // namespace vr::text
