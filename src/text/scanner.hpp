// Splits program text into tokens, with the numbering of the generated parser. The rules are those of vrir-grammar/Vrir.g4 (a
// test compares the two). Written by hand so that a token needs no allocation: ANTLR's lexer takes about 40 bytes of memory and
// 140 ns per input byte.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vr::text {

constexpr size_t eof_token = size_t(-1);  // antlr4::Token::EOF

struct Scanned {
  size_t type = eof_token;
  std::string_view text;  ///< part of the scanner's text
  ir::TextPos pos;        ///< column counts bytes
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()), line_start_(at_) {}
  Scanned next();

 private:
  void skip_space();
  size_t word();
  size_t attribute();
  size_t number();
  size_t string();
  bool module_text();
  ir::TextPos pos() const { return {line_, static_cast<int32_t>(at_ - line_start_ + 1)}; }
  bool more(ptrdiff_t n = 0) const { return end_ - at_ > n; }

  const char* at_;
  const char* end_;
  const char* line_start_;
  int32_t line_ = 1;
  int head_ = 0;  // how many tokens of `( module :name` were read; after 3 of them the module's name follows
};

/// Text of a fixed token, without quotes: "assignstmt", ":id", "(". Empty for the others.
std::string_view token_text(size_t type);
/// Token type of a head word, or the type of Name.
size_t word_token(std::string_view word);

/// The bytes of a string token, without quotes and with the escapes \\ \" \n \t \r \xHH replaced. False for other escapes.
/// `out` receives the result.
bool unquote(std::string_view token, std::string& out);
/// Inverse of unquote.
std::string quote(std::string_view bytes);
/// Whether the text may be written without quotes as a name.
bool is_bare_word(std::string_view s);

}  // namespace vr::text
