#include "text/short/cursor.hpp"

#include "text/scanner.hpp"

#include <fmt/format.h>

#include <charconv>

namespace vr::text::brief {

void Cursor::unexpected(std::string_view wanted) const {
  throw Fault{token().pos, fmt::format("expected {}, found {}", wanted, shown(token())), ""};
}

void Cursor::expect(std::string_view text, std::string_view where) {
  if (!accept(text)) unexpected(fmt::format("'{}' {}", text, where));
}
void Cursor::expect(TokenKind kind, std::string_view what) {
  if (!is(kind)) unexpected(what);
  take();
}

std::string Cursor::name(std::string_view what) {
  if (is(TokenKind::String)) return string(what);
  if (is(TokenKind::Word) && is_keyword(token().text))
    throw Fault{token().pos, fmt::format("expected {}, found the keyword '{}'", what, token().text),
                "a name that is a keyword is written in double quotes"};
  if (!is_name()) unexpected(what);
  return std::string(take().text);
}

std::string Cursor::string(std::string_view what) {
  if (!is(TokenKind::String)) unexpected(what);
  std::string s;
  if (!unquote(token().text, s))
    throw Fault{token().pos, fmt::format("unknown escape in {}", shown(token())),
                "escapes are \\\\ \\\" \\n \\t \\r \\xHH"};
  take();
  return s;
}

int32_t Cursor::small_integer(std::string_view what) {
  if (!is(TokenKind::Int)) unexpected(what);
  const std::string_view text = token().text;
  int32_t x = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (status != std::errc() || end != text.data() + text.size())
    throw Fault{token().pos, fmt::format("{} is {}, not an integer from 0 to 2147483647", what, shown(token())), ""};
  take();
  return x;
}

std::string Cursor::location() { return accept("@") ? string("the source location, a string") : std::string(); }

void Cursor::count_node() {
  if (++nodes_ > options_.max_nodes)
    throw Fault{token().pos, fmt::format("the module has more than {} nodes", options_.max_nodes), ""};
}

void Cursor::check_depth(int depth) const {
  if (depth > options_.max_depth)
    throw Fault{token().pos, fmt::format("the text is nested more than {} deep", options_.max_depth), ""};
}

}  // namespace vr::text::brief
