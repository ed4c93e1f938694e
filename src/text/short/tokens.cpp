#include "text/short/tokens.hpp"

#include "text/scanner.hpp"

#include <velociraptor/ir/elements.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vr::text::brief {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Splitter {
 public:
  Splitter(std::string_view source, size_t most) : source_(source), most_(most) {}

  std::vector<Token> run() {
    indents_.push_back(0);
    while (at_ < source_.size()) line();
    if (brackets_ > 0) throw Fault{opened_, "the bracket is not closed", ""};
    for (; indents_.size() > 1; indents_.pop_back()) push(TokenKind::Dedent, 0);
    push(TokenKind::End, 0);
    return std::move(tokens_);
  }

 private:
  char peek(size_t n = 0) const { return at_ + n < source_.size() ? source_[at_ + n] : '\0'; }
  ir::TextPos pos() const { return {line_, static_cast<int32_t>(at_ - line_start_ + 1)}; }
  void push(TokenKind kind, size_t length) {
    if (tokens_.size() >= most_) throw Fault{pos(), fmt::format("the text has more than {} tokens", most_), ""};
    tokens_.push_back({kind, source_.substr(at_, length), pos()});
    at_ += length;
  }
  bool at_end_of_line() const { return at_ >= source_.size() || source_[at_] == '\n'; }
  void skip_comment() {
    while (!at_end_of_line()) ++at_;
  }
  void next_line() {
    if (at_ < source_.size()) ++at_;
    ++line_;
    line_start_ = at_;
  }

  void line() {
    while (peek() == ' ') ++at_;
    if (peek() == '\t') throw Fault{pos(), "a tab in the indentation of a line", "indent with spaces"};
    if (peek() == '\r') ++at_;
    if (peek() == ';') skip_comment();
    if (at_end_of_line()) return next_line();
    indentation(at_ - line_start_);
    while (!at_end_of_line() || brackets_ > 0) {
      if (at_ >= source_.size()) return;
      token();
    }
    push(TokenKind::Newline, 0);
    next_line();
  }

  void indentation(size_t width) {
    if (width > indents_.back()) {
      indents_.push_back(width);
      push(TokenKind::Indent, 0);
      return;
    }
    for (; width < indents_.back(); indents_.pop_back()) push(TokenKind::Dedent, 0);
    if (width != indents_.back()) throw Fault{pos(), "the indentation of this line is that of no line above it", ""};
  }

  void token() {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '\n') {
      next_line();
    } else if (c == ';') {
      skip_comment();
    } else if (is_letter(c)) {
      push(TokenKind::Word, word(at_));
    } else if (is_digit(c)) {
      number();
    } else if (c == '"') {
      string();
    } else {
      sign();
    }
  }

  size_t word(size_t from) const {
    size_t n = 0;
    while (from + n < source_.size() && (is_letter(source_[from + n]) || is_digit(source_[from + n]))) ++n;
    return n;
  }
  size_t digits(size_t from) const {
    size_t n = 0;
    while (from + n < source_.size() && is_digit(source_[from + n])) ++n;
    return n;
  }

  // 12  1.5  1.5e-3  2f32: a suffix is the abbreviation of an element type.
  void number() {
    size_t n = digits(at_);
    bool real = false;
    if (peek(n) == '.' && is_digit(peek(n + 1))) {
      real = true;
      n += 1 + digits(at_ + n + 1);
    }
    if (peek(n) == 'e' || peek(n) == 'E') {
      const size_t sign = peek(n + 1) == '+' || peek(n + 1) == '-' ? 1 : 0;
      if (const size_t d = digits(at_ + n + 1 + sign)) {
        real = true;
        n += 1 + sign + d;
      }
    }
    n += word(at_ + n);
    push(real ? TokenKind::Float : TokenKind::Int, n);
  }

  void string() {
    size_t n = 1;
    for (; peek(n) != '"'; n += peek(n) == '\\' ? 2 : 1)
      if (at_ + n >= source_.size() || peek(n) == '\n' || (peek(n) == '\\' && peek(n + 1) == '\n'))
        throw Fault{pos(), "the string does not end on its line", ""};
    push(TokenKind::String, n + 1);
  }

  void sign() {
    constexpr std::array<std::string_view, 5> pairs = {"==", "!=", "<=", ">=", "->"};
    const std::string_view two = source_.substr(at_, 2);
    if (std::find(pairs.begin(), pairs.end(), two) != pairs.end()) return push(TokenKind::Sign, 2);
    const char c = peek();
    if (std::string_view("()[],:=<>+-*/.#&@|").find(c) == std::string_view::npos) {
      const bool print = c > ' ' && c < 0x7f;
      throw Fault{pos(), print ? fmt::format("unexpected character '{}'", c) : "unexpected character",
                  print ? "" : "names with other characters are written in double quotes"};
    }
    if (c == '(' || c == '[') {
      if (brackets_++ == 0) opened_ = pos();
    } else if ((c == ')' || c == ']') && brackets_-- == 0) {
      throw Fault{pos(), fmt::format("'{}' closes nothing", c), ""};
    }
    push(TokenKind::Sign, 1);
  }

  std::string_view source_;
  size_t most_;
  std::vector<Token> tokens_;
  std::vector<size_t> indents_;
  size_t at_ = 0, line_start_ = 0;
  int32_t line_ = 1;
  int brackets_ = 0;
  ir::TextPos opened_;
};

constexpr std::string_view keywords[] = {
    "module", "def",    "extern",    "var",     "if",      "elif",     "else",     "for",   "pfor",
    "while",  "in",     "over",      "shared",  "break",   "return",   "continue", "raise", "pass",
    "block",  "with",   "and",       "or",      "not",     "true",     "false",    "inf",   "nan",
    "range",  "domain", "tuple",     "complex", "cast",    "atomic",   "lib",      "fn",    "zeros",
    "ones",   "empty",  "unchecked", "nolower", "noupper", "negative", "grow",     "nogrow"};

}  // namespace

std::vector<Token> tokens_of(std::string_view source, size_t most) { return Splitter(source, most).run(); }

std::string shown(const Token& t) {
  switch (t.kind) {
    case TokenKind::Newline:
      return "the end of the line";
    case TokenKind::Indent:
      return "an indented line";
    case TokenKind::Dedent:
      return "the end of the block";
    case TokenKind::End:
      return "the end of the text";
    default:
      return t.text.size() > 40 ? fmt::format("'{}...'", t.text.substr(0, 37)) : fmt::format("'{}'", t.text);
  }
}

bool is_keyword(std::string_view word) {
  if (std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords)) return true;
  return std::any_of(std::begin(ir::elem_table), std::end(ir::elem_table),
                     [&](const ir::ElemInfo& e) { return word == e.name; });
}

std::string written_name(std::string_view name) {
  return is_bare_word(name) && !is_keyword(name) ? std::string(name) : quote(name);
}

}  // namespace vr::text::brief
