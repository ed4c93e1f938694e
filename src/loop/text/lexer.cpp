#include "loop/text/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace vr::lower {

std::string Lexer::take() {
  std::string w = word_;
  last_ = start_;
  next();
  return w;
}

bool Lexer::accept(std::string_view word) {
  if (!is(word)) return false;
  take();
  return true;
}

void Lexer::expect(std::string_view word) {
  if (!accept(word)) wrong(fmt::format("'{}' is expected", word));
}

std::string Lexer::name() {
  if (!is_name()) wrong("a name is expected");
  return take();
}

std::string Lexer::quoted() {
  if (kind_ != Kind::Quoted) wrong("a text in quotes is expected");
  return take();
}

int64_t Lexer::integer() {
  const bool negative = accept("-");
  if (!is_number()) wrong("a number is expected");
  errno = 0;
  char* stop = nullptr;
  const std::string digits = (negative ? "-" : "") + word_;
  const long long v = std::strtoll(digits.c_str(), &stop, 10);
  if (*stop || errno) wrong("a whole number of 64 bits is expected");
  next();
  return v;
}

void Lexer::next() {
  const size_t before = at_;
  // A semicolon begins a comment, to the end of the line.
  for (; at_ < text_.size() && (text_[at_] == ';' || std::isspace(static_cast<unsigned char>(text_[at_]))); ++at_)
    if (text_[at_] == ';') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
  start_ = at_;
  glued_ = start_ == before;
  word_.clear();
  if (at_ == text_.size()) {
    kind_ = Kind::End;
    return;
  }
  const char c = text_[at_];
  auto rest = [&](auto belongs) {
    while (at_ < text_.size() && belongs(text_[at_])) word_ += text_[at_++];
  };
  auto in_name = [](char x) { return std::isalnum(static_cast<unsigned char>(x)) || x == '_' || x == '.' || x == '#'; };
  if (c == '"') return text_in_quotes();
  if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
    kind_ = Kind::Name;
    return rest(in_name);
  }
  if (std::isdigit(static_cast<unsigned char>(c))) {
    kind_ = Kind::Number;
    rest([](char x) { return std::isdigit(static_cast<unsigned char>(x)) || x == '.'; });
    if (at_ < text_.size() && text_[at_] == 'e') {
      word_ += text_[at_++];
      if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) word_ += text_[at_++];
      rest([](char x) { return std::isdigit(static_cast<unsigned char>(x)); });
    }
    return;
  }
  kind_ = Kind::Sign;
  for (const char* two : {"->", "==", "!=", "<=", ">=", "<<", ">>"})
    if (text_.substr(at_, 2) == two) word_ = two;
  if (word_.empty()) word_ = c;
  at_ += word_.size();
}

void Lexer::text_in_quotes() {
  kind_ = Kind::Quoted;
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
      ++at_;
      word_ += text_[at_] == 'n' ? '\n' : text_[at_];
    } else {
      word_ += text_[at_];
    }
  }
  if (at_ == text_.size()) throw Wrong{start_, "a text without its closing quote"};
  ++at_;
}

}  // namespace vr::lower
