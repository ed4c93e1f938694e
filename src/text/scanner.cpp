#include <text/parser_base.hpp>
#include <text/scanner.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <array>
#include <bit>

namespace vr::text {

namespace {

using P = VrirParser;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_alpha(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_sign(char c) { return c == '+' || c == '-'; }

// The fixed tokens (keywords and attributes), as the generated parser names them, in an open-addressing hash table.
class FixedTokens {
 public:
  FixedTokens() {
    VrirParser parser(static_cast<antlr4::TokenStream*>(nullptr));
    const antlr4::dfa::Vocabulary& names = parser.getVocabulary();
    texts_.resize(names.getMaxTokenType() + 1);
    for (size_t type = 1; type < texts_.size(); ++type) {
      std::string literal = names.getLiteralName(type);  // such as 'plus', with the quotes
      if (literal.size() < 3) continue;
      texts_[type] = literal.substr(1, literal.size() - 2);
      size_t slot = hash(texts_[type]);
      while (slots_[slot % slots_.size()]) ++slot;
      slots_[slot % slots_.size()] = static_cast<uint16_t>(type);
    }
  }
  size_t find(std::string_view s, size_t otherwise) const {
    for (size_t slot = hash(s);; ++slot) {
      uint16_t type = slots_[slot % slots_.size()];
      if (!type) return otherwise;
      if (texts_[type] == s) return type;
    }
  }
  std::string_view text(size_t type) const { return type < texts_.size() ? texts_[type] : std::string_view(); }

 private:
  static size_t hash(std::string_view s) {
    size_t h = s.size();
    for (char c : s) h = h * 31 + static_cast<unsigned char>(c);
    return h ^ (h >> 9);
  }
  std::vector<std::string> texts_;
  std::array<uint16_t, 1024> slots_{};
};

const FixedTokens& fixed_tokens() {
  static const FixedTokens table;
  return table;
}

}  // namespace

std::string_view token_text(size_t type) { return fixed_tokens().text(type); }
size_t word_token(std::string_view word) { return fixed_tokens().find(word, P::Name); }

void Scanner::skip_space() {
  for (; more(); ++at_) {
    char c = *at_;
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    } else if (c == ';') {
      while (more(1) && at_[1] != '\n' && at_[1] != '\r') ++at_;
    } else if (!is_space(c)) {
      return;
    }
  }
}

Scanned Scanner::next() {
  skip_space();
  Scanned t;
  t.pos = pos();
  if (!more()) return t;
  const char* start = at_;
  char c = *at_;
  bool name_due = head_ == 3;
  if (c == '(') {
    ++at_;
    t.type = P::Lp;
  } else if (c == ')') {
    ++at_;
    t.type = P::Rp;
  } else if (name_due && module_text()) {
    t.type = P::ModuleText;
  } else if (is_alpha(c)) {
    t.type = word();
  } else if (c == ':') {
    t.type = attribute();
  } else if (c == '%' && more(1) && (at_[1] == '0' || at_[1] == '1')) {
    t.type = at_[1] == '1' ? P::TrueTok : P::FalseTok;
    at_ += 2;
  } else if (c == '"') {
    t.type = string();
  } else {
    t.type = number();
  }
  t.text = {start, static_cast<size_t>(at_ - start)};
  constexpr size_t opening[] = {P::Lp, P::ModuleTok, P::AttrName};
  if (head_ >= 0) head_ = head_ < 3 && t.type == opening[head_] ? head_ + 1 : -1;
  return t;
}

size_t Scanner::word() {
  const char* start = at_;
  while (more() && is_word(*at_)) ++at_;
  std::string_view s(start, static_cast<size_t>(at_ - start));
  if (s == "nan" && more(3) && at_[0] == ':' && at_[1] == '0' && at_[2] == 'x' && is_hex(at_[3])) {
    at_ += 3;
    while (more() && is_hex(*at_)) ++at_;
    return P::Floatval;
  }
  return fixed_tokens().find(s, P::Name);
}

size_t Scanner::attribute() {
  const char* start = at_++;
  while (more() && is_alpha(*at_)) ++at_;
  if (at_ == start + 1) return P::Junk;
  return fixed_tokens().find({start, static_cast<size_t>(at_ - start)}, P::AttrUnknown);
}

// A number, or else one invalid byte. Each part is taken only if it is complete, so "1e" is the integer 1 and a word.
size_t Scanner::number() {
  const char* start = at_;
  auto peek = [&](ptrdiff_t n) { return more(n) ? at_[n] : '\0'; };
  auto digits = [&](auto&& is) {
    const char* from = at_;
    while (more() && is(*at_)) ++at_;
    return at_ - from;
  };
  if (is_sign(peek(0))) {
    std::string_view rest(at_ + 1, std::min<size_t>(3, static_cast<size_t>(end_ - at_ - 1)));
    if (rest == "inf" || rest == "nan") {
      at_ += 4;
      if (rest == "nan" && peek(0) == ':' && peek(1) == '0' && peek(2) == 'x' && is_hex(peek(3))) {
        at_ += 3;
        digits(is_hex);
      }
      return P::Floatval;
    }
    ++at_;
  }
  if (peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'X') &&
      (is_hex(peek(2)) || (peek(2) == '.' && is_hex(peek(3))))) {
    at_ += 2;
    digits(is_hex);
    if (peek(0) == '.') {
      ++at_;
      digits(is_hex);
    }
    if ((peek(0) == 'p' || peek(0) == 'P') && (is_digit(peek(1)) || (is_sign(peek(1)) && is_digit(peek(2))))) {
      at_ += 2;
      digits(is_digit);
    }
    return P::Floatval;
  }
  bool is_float = false;
  if (is_digit(peek(0))) {
    digits(is_digit);
    if (peek(0) == '.') {
      ++at_;
      digits(is_digit);
      is_float = true;
    }
  } else if (peek(0) == '.' && is_digit(peek(1))) {
    ++at_;
    digits(is_digit);
    is_float = true;
  } else {
    at_ = start + 1;
    return P::Junk;
  }
  if ((peek(0) == 'e' || peek(0) == 'E') && (is_digit(peek(1)) || (is_sign(peek(1)) && is_digit(peek(2))))) {
    at_ += 2;
    digits(is_digit);
    is_float = true;
  }
  return is_float ? P::Floatval : P::Intval;
}

// A string ends on its line; otherwise its opening quote alone is an invalid token.
size_t Scanner::string() {
  const char* start = at_++;
  for (; more() && *at_ != '\n' && *at_ != '\r'; ++at_) {
    if (*at_ == '"') {
      ++at_;
      return P::String;
    }
    if (*at_ == '\\' && more(1) && at_[1] != '\n' && at_[1] != '\r') ++at_;
  }
  at_ = start + 1;
  return P::Junk;
}

// The mclab dialect's module name, such as `FileFile:/path/f.m`: everything up to the next attribute or "(" that follows a
// space, or the end of the line. Words and strings are scanned by the ordinary rules.
bool Scanner::module_text() {
  const char* p = at_;
  const char* last = p;  // after the last byte that is not a space
  for (; p < end_ && *p != '\n' && *p != '\r'; ++p) {
    bool after_space = p > at_ && is_space(p[-1]);
    if (after_space && *p == ':' && p + 1 < end_ && is_alpha(p[1])) break;
    if (*p == '(' && (after_space || std::string_view(p, static_cast<size_t>(end_ - p)).starts_with("(fns"))) break;
    if (!is_space(*p)) last = p + 1;
  }
  std::string_view s(at_, static_cast<size_t>(last - at_));
  if (is_bare_word(s) || s[0] == '"' || s[0] == ':' || s[0] == ')') return false;
  at_ = last;
  return true;
}

bool is_bare_word(std::string_view s) {
  if (s.empty() || !is_alpha(s[0])) return false;
  for (char c : s)
    if (!is_word(c)) return false;
  return true;
}

bool unquote(std::string_view token, std::string& out) {
  auto hex = [](char c) { return is_digit(c) ? c - '0' : (c | 32) - 'a' + 10; };
  out.clear();
  for (size_t i = 1; i + 1 < token.size(); ++i) {
    if (token[i] != '\\') {
      out += token[i];
      continue;
    }
    switch (token[++i]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case '"':
      case '\\':
        out += token[i];
        break;
      case 'x':
        if (i + 3 >= token.size() || !is_hex(token[i + 1]) || !is_hex(token[i + 2])) return false;
        out += static_cast<char>(hex(token[i + 1]) * 16 + hex(token[i + 2]));
        i += 2;
        break;
      default:
        return false;
    }
  }
  return true;
}

std::string quote(std::string_view bytes) {
  std::string s = "\"";
  for (char c : bytes) {
    switch (c) {
      case '"':
        s += "\\\"";
        break;
      case '\\':
        s += "\\\\";
        break;
      case '\n':
        s += "\\n";
        break;
      case '\t':
        s += "\\t";
        break;
      case '\r':
        s += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          s += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
          s += c;
    }
  }
  return s + '"';
}

}  // namespace vr::text
