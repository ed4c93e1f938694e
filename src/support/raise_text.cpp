#include "support/raise_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace vr {

namespace {

/// Calls text(piece) and place(contents of the braces) in order; false if a brace has no meaning.
template <class Text, class Place>
bool pieces(std::string_view s, Text&& text, Place&& place) {
  while (!s.empty()) {
    const size_t brace = s.find_first_of("{}");
    text(s.substr(0, brace));
    if (brace == std::string_view::npos) return true;
    s.remove_prefix(brace);
    if (s.size() > 1 && s[1] == s[0]) {
      text(s.substr(0, 1));
      s.remove_prefix(2);
      continue;
    }
    const size_t end = s.find('}');
    if (s[0] == '}' || end == std::string_view::npos) return false;
    place(s.substr(1, end - 1));
    s.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

std::optional<size_t> raise_places(std::string_view text) {
  size_t count = 0;
  bool plain = true;
  const auto place = [&](std::string_view inside) { plain = plain && inside.empty(), ++count; };
  return pieces(
             text, [](std::string_view) {}, place) &&
                 plain
             ? std::optional(count)
             : std::nullopt;
}

std::string with_number_kinds(std::string_view text, const RaiseNumber* kinds) {
  std::string s;
  const auto piece = [&](std::string_view p) { s += p == "{" || p == "}" ? std::string(2, p[0]) : std::string(p); };
  pieces(text, piece, [&](std::string_view) { s += fmt::format("{{{}}}", static_cast<char>(*kinds++)); });
  return s;
}

void write_raise_text(char* to, size_t size, std::string_view text, const int64_t* bits) {
  char* const start = to;
  char* const end = to + size - 1;
  bool cut = false;
  auto put = [&](std::string_view p) {
    const size_t n = std::min(p.size(), static_cast<size_t>(end - to));
    cut = cut || n < p.size();
    std::memcpy(to, p.data(), n);
    to += n;
  };
  auto number = [&](auto x) {
    if (x != x) return put("nan");  // whatever its sign
    char digits[64];
    put({digits, fmt::format_to_n(digits, sizeof digits, "{}", x).size});
  };
  pieces(text, put, [&](std::string_view kind) {
    const int64_t n = *bits++;
    switch (static_cast<RaiseNumber>(kind[0])) {
      case RaiseNumber::Signed:
        return number(n);
      case RaiseNumber::Unsigned:
        return number(static_cast<uint64_t>(n));
      case RaiseNumber::Float32:
        return number(static_cast<float>(std::bit_cast<double>(n)));
      case RaiseNumber::Float64:
        return number(std::bit_cast<double>(n));
    }
  });
  // Removes an incomplete UTF-8 character at the end.
  if (cut) {
    char* last = to;
    while (last > start && (static_cast<unsigned char>(last[-1]) & 0xc0) == 0x80) --last;
    if (last > start && static_cast<unsigned char>(last[-1]) >= 0xc0) {
      const auto lead = static_cast<unsigned char>(last[-1]);
      const int64_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
      if (to - (last - 1) < length) to = last - 1;
    }
  }
  *to = '\0';
}

}  // namespace vr
