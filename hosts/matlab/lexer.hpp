// Tokens of MATLAB and Octave text. What a blank or a quote means depends on brackets, so the lexer keeps their
// nesting.
#pragma once
#include "ast.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace vr::matlab {

/// Thrown by lexer and parser, caught in parse().
struct SyntaxError {
  Pos pos;
  std::string message;
};

enum class Tok { Number, String, Name, Keyword, Punct, Newline, Pragma, End };

struct Token {
  Tok kind = Tok::End;
  Pos pos;
  std::string text;  ///< name, keyword, punctuation, string, pragma
  double number = 0;
  bool imaginary = false, double_quoted = false;
  bool space_before = false;  ///< white space between the token before and this
  bool space_after = false;
};

/// Throws SyntaxError. The last token is of kind End.
std::vector<Token> lex(std::string_view text);

}  // namespace vr::matlab
