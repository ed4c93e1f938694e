// Parser for numbers, variables and their parts.
#include "text/short/expr_reader.hpp"
#include "text/short/operators.hpp"
#include "text/short/short_types.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace vr::text::brief {

using namespace ir;

namespace {
bool is_subscript_word(const Token& t) {
  return t.kind == TokenKind::Word &&
         std::find(std::begin(subscript_words), std::end(subscript_words), t.text) != std::end(subscript_words);
}
}  // namespace

bool ExprReader::at_number() const {
  const size_t k = c_.at("-") ? 1 : 0;
  return c_.is(TokenKind::Int, k) || c_.is(TokenKind::Float, k) || c_.at("inf", k) || c_.at("nan", k);
}

// 1  2.5  3i32  1.0f32  inf  nan  nan(0x123), with a sign
ExprPtr ExprReader::number() {
  const TextPos pos = c_.token().pos;
  const bool large_allowed = std::exchange(large_allowed_, false), negative = c_.accept("-");
  const Token& t = c_.take();
  auto typed = [&](const char* rest, Elem without) {
    const std::string_view suffix(rest, static_cast<size_t>(t.text.data() + t.text.size() - rest));
    const auto elem = suffix.empty() ? without : elem_abbreviated(suffix);
    if (!elem)
      throw Fault{t.pos, fmt::format("unknown suffix '{}' of a number", suffix),
                  "suffixes are bool, i8 to i64, u8 to u64, f16, bf16, f32 and f64"};
    return Type::scalar(*elem);
  };
  const char *from = t.text.data(), *end = from + t.text.size();
  if (t.kind != TokenKind::Int) {
    const char* rest = end;
    const double x = real(t, rest);
    Type type = t.kind == TokenKind::Float ? typed(rest, Elem::Float64) : Type::scalar(Elem::Float64);
    return made(std::make_shared<FloatConst>(std::move(type), negative ? -x : x), pos, true);
  }
  uint64_t bits = 0;
  const auto [rest, status] = std::from_chars(from, end, bits);
  Type type = typed(rest, Elem::Int64);
  constexpr uint64_t sign = uint64_t(1) << 63;
  const bool large = !negative && bits >= sign;
  if (status != std::errc() || (negative && bits > sign) || (large && type.elem != Elem::UInt64 && !large_allowed))
    throw Fault{pos, fmt::format("{} is out of range", shown(t)),
                "integers are those of int64, and with the suffix u64 those of uint64"};
  ExprPtr n =
      made(std::make_shared<IntConst>(std::move(type), static_cast<int64_t>(negative ? ~bits + 1 : bits)), pos, true);
  if (large && large_allowed) large_ = n.get();
  return n;
}

// The value of a Float token, whose suffix is assigned to `rest`, or of the words inf and nan.
double ExprReader::real(const Token& t, const char*& rest) {
  if (t.text == "inf") return std::numeric_limits<double>::infinity();
  if (t.text == "nan") {
    uint64_t payload = uint64_t(1) << 51;
    if (c_.at("(")) {
      c_.take();
      const Token& hex = c_.take();
      payload = 0;
      const char* end = hex.text.data() + hex.text.size();
      const bool prefixed = hex.text.starts_with("0x");
      const auto [last, status] = std::from_chars(hex.text.data() + (prefixed ? 2 : 0), end, payload, 16);
      if (!prefixed || status != std::errc() || last != end || payload == 0 || payload >> 52)
        throw Fault{hex.pos, "the payload of a NaN must be from 0x1 to 0xfffffffffffff", ""};
      c_.expect(")", "after the payload");
    }
    return std::bit_cast<double>(uint64_t(0x7ff) << 52 | payload);
  }
  double x = 0;
  const auto [last, status] = std::from_chars(t.text.data(), t.text.data() + t.text.size(), x);
  rest = last;
  if (status == std::errc::result_out_of_range) {
    // A literal that is too small is rounded to zero or a denormal number; one that is too large is an error.
    x = std::strtod(std::string(t.text.data(), last).c_str(), nullptr);
    if (std::isinf(x))
      throw Fault{t.pos, fmt::format("{} is too large for float64", shown(t)), "write inf for infinity"};
  }
  return x;
}

// A float without a suffix, or no value; in that case some tokens may have been read.
std::optional<double> ExprReader::plain_float() {
  if (!at_number()) return {};
  ExprPtr n = number();
  const auto* f = as<FloatConst>(n);
  return f && f->type.elem == Elem::Float64 && !c_.last().text.ends_with("f64") ? std::optional(f->value)
                                                                                : std::nullopt;
}

// x.shape  x.shape[0]  x.real  x.imag  t.item[0]
ExprPtr ExprReader::member(SymbolId id, TextPos pos) {
  c_.take();
  if (c_.accept("real")) return made(std::make_shared<RealExpr>(Type(), id), pos);
  if (c_.accept("imag")) return made(std::make_shared<ImagExpr>(Type(), id), pos);
  const bool item = c_.at("item");
  if (!item && !c_.at("shape")) c_.unexpected("shape, item, real or imag");
  c_.take();
  if (!item && !c_.at("[")) return made(std::make_shared<DimVec>(Type(), id), pos);
  c_.expect("[", "after 'item'");
  const int32_t n = c_.small_integer(item ? "the number of the element" : "the number of the dimension");
  c_.expect("]", "after the number");
  if (item) return made(std::make_shared<TupleIndex>(Type(), id, n), pos);
  return made(std::make_shared<Dim>(Type(), id, n), pos);
}

// x[i, 1:n | copy flatten]
ExprPtr ExprReader::index(SymbolId id, TextPos pos) {
  auto n = std::make_shared<Index>(Type(), id, subscripts());
  if (!c_.accept("|") && !c_.at("]")) c_.unexpected("',' or ']' after the subscript");
  while (!c_.at("]")) {
    auto set = [&](std::optional<bool>& to, bool value) {
      if (to) c_.unexpected("']'");
      to = value;
      c_.take();
    };
    if (c_.at("copy") || c_.at("view"))
      set(n->copyslice, c_.at("copy"));
    else if (c_.at("flatten") || c_.at("noflatten"))
      set(n->flatten, c_.at("flatten"));
    else
      c_.unexpected("copy, view, flatten, noflatten or ']'");
  }
  c_.take();
  return made(std::move(n), pos);
}

// Without the "]".
std::vector<Subscript> ExprReader::subscripts() {
  c_.expect("[", "before the subscripts");
  std::vector<Subscript> list;
  int depth = 0;
  do {
    list.push_back(subscript());
    depth = std::max(depth, depth_);
  } while (c_.accept(","));
  c_.check_depth(depth_ = depth + 1);
  bare_range_ = nullptr;
  return list;
}

// i  a:b  a:b:s  i negative  i unchecked
Subscript ExprReader::subscript() {
  Subscript s;
  const TextPos pos = c_.token().pos;
  ExprPtr first;
  int depth = 0;
  auto part = [&]() -> ExprPtr {
    if (c_.at(":") || c_.at(",") || c_.at("]") || c_.at("|") || is_subscript_word(c_.token())) return nullptr;
    ExprPtr e = expr();
    depth = std::max(depth, depth_);
    return e;
  };
  if (!c_.at(":")) first = part();
  if (c_.at(":")) {
    ExprPtr stop, step;
    c_.take();
    const std::optional<bool> exclude = stated_exclude();
    stop = part();
    if (exclude && !stop) c_.unexpected("the stop of the range");
    if (c_.accept(":")) step = part();
    s.value =
        made(std::make_shared<Range>(Type(), exclude, std::move(first), std::move(step), std::move(stop)), pos, true);
    ++depth;
  } else {
    if (!first) c_.unexpected("a subscript");
    if (first.get() == bare_range_) const_cast<Expr&>(*first).type = Type::null();
    s.value = std::move(first);
  }
  for (;;) {
    if (c_.accept("unchecked"))
      s.minbounds = s.maxbounds = false;
    else if (c_.accept("nolower"))
      s.minbounds = false;
    else if (c_.accept("noupper"))
      s.maxbounds = false;
    else if (c_.accept("negative"))
      s.negative = true;
    else if (c_.at("grow") || c_.at("nogrow"))
      s.grow = c_.take().text == "grow";
    else
      break;
  }
  depth_ = depth;
  return s;
}

SymbolId ExprReader::variable() {
  const Token& at = c_.token();
  if (c_.accept("#")) return c_.small_integer("the id of a variable");
  const std::string name = c_.name("a variable");
  if (c_.accept("#")) {
    const SymbolId id = c_.small_integer("the id of a variable");
    const Symbol* s = scope_.find(id);
    if (!s)
      throw Fault{at.pos, fmt::format("variable {} is not known here", id),
                  "declare it with 'var', or assign to it first"};
    if (s->name != name) throw Fault{at.pos, fmt::format("variable {} is '{}', not '{}'", id, s->name, name), ""};
    return id;
  }
  const Scope::Found found = scope_.find(name);
  if (!found.id)
    throw Fault{at.pos, fmt::format("the variable '{}' is not known here", name),
                "declare it with 'var', or assign to it first"};
  if (found.several)
    throw Fault{at.pos, fmt::format("several variables are named '{}'", name), fmt::format("write {}#ID", name)};
  return *found.id;
}

}  // namespace vr::text::brief
