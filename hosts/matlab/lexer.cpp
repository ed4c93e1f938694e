#include "lexer.hpp"

#include <cstdlib>
#include <cstring>
#include <set>

namespace vr::matlab {

namespace {

const std::set<std::string, std::less<>> keywords = {"function",
                                                     "endfunction",
                                                     "if",
                                                     "elseif",
                                                     "else",
                                                     "end",
                                                     "endif",
                                                     "while",
                                                     "endwhile",
                                                     "for",
                                                     "parfor",
                                                     "endfor",
                                                     "endparfor",
                                                     "do",
                                                     "until",
                                                     "switch",
                                                     "case",
                                                     "otherwise",
                                                     "endswitch",
                                                     "break",
                                                     "continue",
                                                     "return",
                                                     "global",
                                                     "persistent",
                                                     "try",
                                                     "catch",
                                                     "end_try_catch",
                                                     "unwind_protect",
                                                     "unwind_protect_cleanup",
                                                     "end_unwind_protect"};

// Longest first.
const char* const punctuation[] = {
    ".**", "**=", ".*=", "./=", ".^=", "==",  "~=", "!=", "<=", ">=", "&&", "||", ".*", "./", ".\\", ".^", ".'", "++",
    "--",  "+=",  "-=",  "*=",  "/=",  "\\=", "^=", "|=", "&=", "**", "+",  "-",  "*",  "/",  "\\",  "^",  "'",  "<",
    ">",   "=",   "&",   "|",   "!",   "~",   ",",  ";",  ":",  "(",  ")",  "[",  "]",  "{",  "}",   ".",  "@"};

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (step()) {}
    if (!nesting_.empty()) throw SyntaxError{open_.back(), std::string("'") + nesting_.back() + "' is never closed"};
    push(Tok::Newline, "\n");
    push(Tok::End, "");
    for (size_t k = 0; k + 1 < out_.size(); ++k)
      out_[k].space_after = out_[k + 1].space_before || out_[k + 1].kind == Tok::Newline;
    return std::move(out_);
  }

 private:
  char at(size_t k = 0) const { return i_ + k < text_.size() ? text_[i_ + k] : '\0'; }
  Pos pos() const { return {line_, static_cast<int>(i_ - line_start_) + 1}; }
  [[noreturn]] void fail(Pos p, std::string message) const { throw SyntaxError{p, std::move(message)}; }
  Token& push(Tok kind, std::string text) {
    Token t;
    t.kind = kind;
    t.pos = start_;
    t.text = std::move(text);
    t.space_before = space_;
    space_ = false;
    out_.push_back(std::move(t));
    return out_.back();
  }
  void newline() {
    ++i_;
    ++line_;
    line_start_ = i_;
  }
  void skip_line() {
    while (i_ < text_.size() && text_[i_] != '\n') ++i_;
  }
  bool in_matrix() const { return !nesting_.empty() && nesting_.back() != '('; }
  // Whether what stands before could be an operand, so that a quote transposes it.
  bool after_operand() const {
    if (out_.empty() || (space_ && in_matrix())) return false;
    const Token& t = out_.back();
    if (t.kind == Tok::Number || t.kind == Tok::Name || t.kind == Tok::String) return true;
    if (t.kind == Tok::Keyword) return t.text == "end" && !nesting_.empty();
    return t.kind == Tok::Punct && (t.text == ")" || t.text == "]" || t.text == "}" || t.text == "'" || t.text == ".'");
  }
  std::string_view line_text() const {
    size_t end = text_.find('\n', line_start_);
    std::string_view l = text_.substr(line_start_, end == text_.npos ? text_.npos : end - line_start_);
    while (!l.empty() && blank(l.front())) l.remove_prefix(1);
    while (!l.empty() && blank(l.back())) l.remove_suffix(1);
    return l;
  }

  void block_comment() {
    const Pos begin = pos();
    int depth = 0;
    do {
      std::string_view l = line_text();
      if (l == "%{" || l == "#{") ++depth;
      if (l == "%}" || l == "#}") --depth;
      skip_line();
      if (i_ >= text_.size()) break;
      if (depth > 0) newline();
    } while (depth > 0);
    if (depth > 0) fail(begin, "the block comment is never closed");
  }

  void comment() {
    std::string_view l = line_text();
    if ((l == "%{" || l == "#{") &&
        text_.substr(line_start_, i_ - line_start_).find_first_not_of(" \t") == std::string_view::npos)
      return block_comment();
    size_t begin = i_;
    skip_line();
    std::string_view c = text_.substr(begin, i_ - begin);
    if (c.size() > 4 && (c.substr(0, 4) == "%#vr" || c.substr(0, 4) == "##vr") && nesting_.empty()) {
      c.remove_prefix(4);
      while (!c.empty() && blank(c.front())) c.remove_prefix(1);
      while (!c.empty() && blank(c.back())) c.remove_suffix(1);
      push(Tok::Pragma, std::string(c));
    }
  }

  void number() {
    double v = 0;
    if (at() == '0' && (at(1) == 'x' || at(1) == 'X' || at(1) == 'b' || at(1) == 'B')) {
      // Octave gives such numbers an integer class that depends on how many digits there are.
      fail(start_, "hexadecimal and binary numbers are not read; write it in decimal");
    } else {
      std::string s;
      while (digit(at())) s += at(), ++i_;
      if (at() == '.' && !(at(1) && std::strchr("*/\\^'", at(1))) && !(at(1) == '.' && at(2) == '.')) {
        s += '.', ++i_;
        while (digit(at())) s += at(), ++i_;
      }
      if (at() && std::strchr("eEdD", at()) && (digit(at(1)) || ((at(1) == '+' || at(1) == '-') && digit(at(2))))) {
        s += 'e', ++i_;
        if (!digit(at())) s += at(), ++i_;
        while (digit(at())) s += at(), ++i_;
      }
      v = std::strtod(s.c_str(), nullptr);
    }
    bool imaginary = at() && std::strchr("ijIJ", at()) && !letter(at(1)) && !digit(at(1));
    if (imaginary) ++i_;
    if (letter(at())) fail(start_, "a name directly behind a number");
    Token& t = push(Tok::Number, "");
    t.number = v;
    t.imaginary = imaginary;
  }

  void string(char quote) {
    std::string s;
    for (++i_;; ++i_) {
      if (i_ >= text_.size() || at() == '\n') fail(start_, "the string is never closed");
      if (at() == quote) {
        if (at(1) != quote) break;
        ++i_;
        s += quote;
      } else if (quote == '"' && at() == '\\') {
        ++i_;
        s += escape();
      } else {
        s += at();
      }
    }
    ++i_;
    push(Tok::String, std::move(s)).double_quoted = quote == '"';
  }
  char escape() {
    switch (at()) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'a':
        return '\a';
      case 'f':
        return '\f';
      case 'v':
        return '\v';
      case 'b':
        return '\b';
      case '0':
        return '\0';
      default:
        return at();
    }
  }

  bool step() {
    while (blank(at())) ++i_, space_ = true;
    start_ = pos();
    if (i_ >= text_.size()) return false;
    const char c = at();
    if (c == '\n') {
      // Inside of parentheses an end of line is white space.
      if (!nesting_.empty() && nesting_.back() == '(')
        space_ = true;
      else
        push(Tok::Newline, "\n");
      newline();
      return true;
    }
    if (c == '%' || c == '#') {
      comment();
      return true;
    }
    if (c == '.' && at(1) == '.' && at(2) == '.') {
      skip_line();
      if (i_ < text_.size()) newline();
      space_ = true;
      return true;
    }
    if (digit(c) || (c == '.' && digit(at(1)))) {
      number();
      return true;
    }
    if (letter(c)) {
      size_t begin = i_;
      while (letter(at()) || digit(at())) ++i_;
      std::string word(text_.substr(begin, i_ - begin));
      const bool field = !out_.empty() && out_.back().kind == Tok::Punct && out_.back().text == "." && !space_;
      const bool key = !field && keywords.count(word) && (nesting_.empty() || word == "end");
      push(key ? Tok::Keyword : Tok::Name, std::move(word));
      return true;
    }
    if (c == '"' || (c == '\'' && !after_operand())) {
      string(c);
      return true;
    }
    for (const char* p : punctuation) {
      size_t n = std::strlen(p);
      if (text_.substr(i_, n) != p) continue;
      std::string s(p);
      // [a += b] does not exist, and [1 -- 2] is two signs: inside of brackets operators are short ones.
      if (in_matrix() && (s == "++" || s == "--")) continue;
      i_ += n;
      bracket(s);
      push(Tok::Punct, std::move(s));
      return true;
    }
    fail(start_, std::string("'") + c + "' has no meaning here");
  }

  void bracket(const std::string& s) {
    if (s == "(" || s == "[" || s == "{") {
      nesting_ += s;
      open_.push_back(start_);
    } else if (s == ")" || s == "]" || s == "}") {
      const char opening = s == ")" ? '(' : s == "]" ? '[' : '{';
      if (nesting_.empty() || nesting_.back() != opening) fail(start_, "'" + s + "' closes nothing");
      nesting_.pop_back();
      open_.pop_back();
    }
  }

  std::string_view text_;
  size_t i_ = 0, line_start_ = 0;
  int line_ = 1;
  Pos start_;
  bool space_ = false;
  std::string nesting_;
  std::vector<Pos> open_;
  std::vector<Token> out_;
};

}  // namespace

std::vector<Token> lex(std::string_view text) { return Lexer(text).run(); }

}  // namespace vr::matlab
