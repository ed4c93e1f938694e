// Tokens of the short syntax (docs/short-syntax.md). Line ends and indentation are tokens, except inside brackets.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace vr::text::brief {

enum class TokenKind : uint8_t { Word, String, Int, Float, Sign, Newline, Indent, Dedent, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  ///< part of the source; a number includes its suffix
  ir::TextPos pos;        ///< column counts bytes
};

/// Thrown at the first error of a text; parse_short catches it.
struct Fault {
  ir::TextPos pos;
  std::string message;
  std::string hint;
};

/// Splits the source into tokens, which refer to it; the last one is End. Throws Fault, also if there are more than
/// `most`.
std::vector<Token> tokens_of(std::string_view source, size_t most);

/// The token as it appears in messages: "'for'", "the end of the line".
std::string shown(const Token& t);

/// Words that cannot be a name without quotes.
bool is_keyword(std::string_view word);
/// A name as the short syntax writes it, in quotes if necessary.
std::string written_name(std::string_view name);

}  // namespace vr::text::brief
