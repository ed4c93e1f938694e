#include <text/token_values.hpp>

#include <text/syntax_message.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace vr::text {

using P = VrirParser;

const Value* find(PartialTree& tree, size_t attr) {
  const Value* found = nullptr;
  for (const Value& v : tree.stacks.values()) {
    if (v.attr != attr) continue;
    if (found) tree.errors.add(v.pos, fmt::format("'{}' is given twice", token_text(attr)), "");
    found = &v;
  }
  return found;
}

const Value* need(PartialTree& tree, size_t attr) {
  const Value* v = find(tree, attr);
  if (!v)
    tree.errors.add(tree.places.pos(),
                    fmt::format("'{}' is missing in {}", token_text(attr), token_text(tree.stacks.frame().head)), "");
  return v;
}

int64_t integer(PartialTree& tree, const Value& v, int64_t low, int64_t high) {
  const char* from = v.text.data() + (v.text.starts_with('+') ? 1 : 0);
  int64_t x = 0;
  auto [end, status] = std::from_chars(from, v.text.data() + v.text.size(), x);
  if (status == std::errc() && x >= low && x <= high) return x;
  std::string what = v.attr ? fmt::format("{} of '{}'", v.text, token_text(v.attr)) : std::string(v.text);
  if (what.size() > 60) what = what.substr(0, 57) + "...";
  tree.errors.add(v.pos, fmt::format("{} is out of range: it must be from {} to {}", what, low, high), "");
  return low > 0 ? low : 0;
}

int64_t unsigned_integer(PartialTree& tree, const Value& v) {
  const char* from = v.text.data() + (v.text.starts_with('+') ? 1 : 0);
  uint64_t x = 0;
  auto [end, status] = std::from_chars(from, v.text.data() + v.text.size(), x);
  if (status == std::errc()) return static_cast<int64_t>(x);
  if (v.text.starts_with('-')) return integer(tree, v, std::numeric_limits<int64_t>::min(), 0);
  tree.errors.add(v.pos,
                  fmt::format("{} is out of range: it must be at most {}", shown(v.text), std::numeric_limits<uint64_t>::max()), "");
  return 0;
}

int32_t id(PartialTree& tree, size_t attr) {
  const Value* v = need(tree, attr);
  return v ? static_cast<int32_t>(integer(tree, *v, 0, std::numeric_limits<int32_t>::max())) : 0;
}

double number(PartialTree& tree, const Value& v) {
  std::string_view s = v.text;
  bool negative = s[0] == '-';
  if (s[0] == '-' || s[0] == '+') s.remove_prefix(1);
  double x = 0;
  if (s.starts_with("nan")) {
    uint64_t payload = uint64_t(1) << 51;
    if (s.size() > 6) {
      auto [end, status] = std::from_chars(s.data() + 6, s.data() + s.size(), payload, 16);
      if (status != std::errc() || payload == 0 || payload >> 52) {
        tree.errors.add(v.pos, fmt::format("the payload of {} must be from 0x1 to 0xfffffffffffff", shown(v.text)), "");
        payload = 1;
      }
    }
    x = std::bit_cast<double>(uint64_t(0x7ff) << 52 | payload);
  } else if (s == "inf") {
    x = std::numeric_limits<double>::infinity();
  } else {
    bool hex = s.size() > 2 && (s[1] == 'x' || s[1] == 'X');
    if (hex) s.remove_prefix(2);
    auto [end, status] =
        std::from_chars(s.data(), s.data() + s.size(), x, hex ? std::chars_format::hex : std::chars_format::general);
    if (status == std::errc::result_out_of_range) {
      // Out of range. A number that is too large is an error; one that is too small is rounded to zero or a denormal.
      std::string copy((hex ? "0x" : "") + std::string(s));
      x = std::strtod(copy.c_str(), nullptr);
      if (std::isinf(x))
        tree.errors.add(v.pos, fmt::format("{} is too large for float64", shown(v.text)), "write inf for infinity");
    }
  }
  return negative ? -x : x;
}

std::string text_of(PartialTree& tree, const Value& v) {
  if (v.type != P::String) return std::string(v.text);
  std::string s;
  if (!unquote(v.text, s))
    tree.errors.add(v.pos, fmt::format("unknown escape in {}", shown(v.text)),
                    "escapes are \\\\ \\\" \\n \\t \\r \\xHH");
  return s;
}
std::string text_of(PartialTree& tree, size_t attr) {
  const Value* v = need(tree, attr);
  return v ? text_of(tree, *v) : std::string();
}

bool boolean(const Value& v) { return v.type == P::TrueTok; }
std::optional<bool> optional_bool(PartialTree& tree, size_t attr) {
  const Value* v = find(tree, attr);
  return v ? std::optional<bool>(boolean(*v)) : std::nullopt;
}

std::string loc(PartialTree& tree) {
  const Value* v = find(tree, P::AttrLoc);
  return v ? text_of(tree, *v) : std::string();
}

}  // namespace vr::text
