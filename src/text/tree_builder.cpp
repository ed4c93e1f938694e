#include <text/tree_builder.hpp>

#include <text/syntax_message.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>

namespace vr::text {

using P = VrirParser;

namespace {
constexpr size_t max_errors = 100;
}

TreeBuilder::TreeBuilder(const ir::ParseOptions& options, VrirParserBase* parser) : options_(options), parser_(parser) {
  module_->file = options.file;
}

void TreeBuilder::enter(size_t rule) {
  if (rule == P::RuleFunction) {
    // A function starts afresh, also after an error in the one before: its own mistakes are worth telling.
    building_ = true;
    pending_attr_ = 0;
    exprs_.clear();
    stmts_.clear();
    types_.clear();
    values_.clear();
    ids_.clear();
    subscripts_.clear();
    symbols_.clear();
    bare_functype_ = false;
    range_types_.clear();
  }
  frames_.push_back(
      {rule, 0, exprs_.size(), stmts_.size(), types_.size(), values_.size(), ids_.size(), subscripts_.size()});
}

void TreeBuilder::token(const Scanned& t) {
  if (t.type == P::Lp) {
    opens_.push_back(t.pos);
    if (frames_.back().rule == P::RuleFunction && !frames_.back().head) function_pos_ = t.pos;
    return;
  }
  Frame& f = frames_.back();
  if (!f.head) f.head = t.type;
  if (t.type == P::Rp) {
    if (!opens_.empty()) {
      closed_ = opens_.back();
      opens_.pop_back();
    }
    return;
  }
  if (!building_) return;
  if (t.type == eof_token) return;
  if (t.text[0] == ':') {
    pending_attr_ = t.type;
    return;
  }
  bool value = f.rule == P::RuleWord || f.rule == P::RuleNumber;
  switch (t.type) {
    case P::Intval:
    case P::Floatval:
    case P::String:
    case P::TrueTok:
    case P::FalseTok:
    case P::ModuleText:
    case P::AutoTok:
      value = true;
  }
  if (!value) return;
  values_.push_back({pending_attr_, t.type, t.text, t.pos});
  if (pending_attr_ != P::AttrFastmath) pending_attr_ = 0;  // takes a list of words
}

void TreeBuilder::leave(size_t rule) {
  // ANTLR leaves its rules also while an exception (no memory) passes through: what they have built is not whole.
  // It leaves them in a destructor, which must not throw.
  if (building_ && std::uncaught_exceptions() == exceptions_) {
    try {
      (void)(leave_expr(rule) || leave_type(rule) || leave_stmt(rule) || leave_module(rule));
    } catch (const std::bad_alloc&) {
      no_memory_ = true;
      building_ = false;
    }
  }
  frames_.pop_back();
}

void TreeBuilder::broken() { building_ = false; }

void TreeBuilder::error(ir::TextPos pos, std::string message, std::string hint) {
  if (errors_.size() > max_errors) return;
  Diagnostic d;
  d.place = {options_.file, pos.line, pos.column};
  d.rule = "syntax";
  if (errors_.size() == max_errors) {
    d.message = fmt::format("more than {} errors; the rest of the text was not read", max_errors);
    parser_->stop();
  } else {
    d.message = std::move(message);
    d.hint = std::move(hint);
  }
  errors_.push_back(std::move(d));
}

void TreeBuilder::count_node() {
  if (++nodes_ != options_.max_nodes + 1) return;
  error(pos(), fmt::format("the module has more than {} nodes", options_.max_nodes), "");
  parser_->stop();
}

ir::ModulePtr TreeBuilder::take_module() { return std::move(module_); }

// ---------------------------------------------------------------- values

const TreeBuilder::Value* TreeBuilder::find(size_t attr) {
  const Value* found = nullptr;
  for (const Value& v : values()) {
    if (v.attr != attr) continue;
    if (found) error(v.pos, fmt::format("'{}' is given twice", token_text(attr)), "");
    found = &v;
  }
  return found;
}

const TreeBuilder::Value* TreeBuilder::need(size_t attr) {
  const Value* v = find(attr);
  if (!v) error(pos(), fmt::format("'{}' is missing in {}", token_text(attr), token_text(frame().head)), "");
  return v;
}

int64_t TreeBuilder::integer(const Value& v, int64_t low, int64_t high) {
  const char* from = v.text.data() + (v.text.starts_with('+') ? 1 : 0);
  int64_t x = 0;
  auto [end, status] = std::from_chars(from, v.text.data() + v.text.size(), x);
  if (status == std::errc() && x >= low && x <= high) return x;
  std::string what = v.attr ? fmt::format("{} of '{}'", v.text, token_text(v.attr)) : std::string(v.text);
  if (what.size() > 60) what = what.substr(0, 57) + "...";
  error(v.pos, fmt::format("{} is out of range: it must be from {} to {}", what, low, high), "");
  return low > 0 ? low : 0;
}

int32_t TreeBuilder::id(size_t attr) {
  const Value* v = need(attr);
  return v ? static_cast<int32_t>(integer(*v, 0, std::numeric_limits<int32_t>::max())) : 0;
}

double TreeBuilder::number(const Value& v) {
  std::string_view s = v.text;
  bool negative = s[0] == '-';
  if (s[0] == '-' || s[0] == '+') s.remove_prefix(1);
  double x = 0;
  if (s.starts_with("nan")) {
    uint64_t payload = uint64_t(1) << 51;
    if (s.size() > 6) {
      auto [end, status] = std::from_chars(s.data() + 6, s.data() + s.size(), payload, 16);
      if (status != std::errc() || payload == 0 || payload >> 52) {
        error(v.pos, fmt::format("the payload of {} must be from 0x1 to 0xfffffffffffff", shown(v.text)), "");
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
      // Too large or too small; only the first is a mistake, the second rounds to zero or a denormal.
      std::string copy((hex ? "0x" : "") + std::string(s));
      x = std::strtod(copy.c_str(), nullptr);
      if (std::isinf(x))
        error(v.pos, fmt::format("{} is too large for float64", shown(v.text)), "write inf for infinity");
    }
  }
  return negative ? -x : x;
}

std::string TreeBuilder::text(const Value& v) {
  if (v.type != P::String) return std::string(v.text);
  std::string s;
  if (!unquote(v.text, s))
    error(v.pos, fmt::format("unknown escape in {}", shown(v.text)), "escapes are \\\\ \\\" \\n \\t \\r \\xHH");
  return s;
}
std::string TreeBuilder::text(size_t attr) {
  const Value* v = need(attr);
  return v ? text(*v) : std::string();
}

bool TreeBuilder::boolean(const Value& v) const { return v.type == P::TrueTok; }
std::optional<bool> TreeBuilder::optional_bool(size_t attr) {
  const Value* v = find(attr);
  return v ? std::optional<bool>(boolean(*v)) : std::nullopt;
}

std::string TreeBuilder::loc() {
  const Value* v = find(P::AttrLoc);
  return v ? text(*v) : std::string();
}

bool TreeBuilder::mclab_only(ir::TextPos at, const char* what, const char* hint) {
  if (options_.dialect == ir::Dialect::Mclab) return true;
  error(at, fmt::format("{} is accepted in the mclab dialect only", what), hint);
  return false;
}

// ---------------------------------------------------------------- stacks

std::vector<ir::ExprPtr> TreeBuilder::take_exprs(size_t from) {
  return {std::make_move_iterator(exprs_.begin() + static_cast<ptrdiff_t>(from)),
          std::make_move_iterator(exprs_.end())};
}
ir::Body TreeBuilder::take_stmts(size_t from) {
  return {std::make_move_iterator(stmts_.begin() + static_cast<ptrdiff_t>(from)),
          std::make_move_iterator(stmts_.end())};
}
std::vector<ir::SymbolId> TreeBuilder::take_ids(size_t from) {
  return {ids_.begin() + static_cast<ptrdiff_t>(from), ids_.end()};
}
std::vector<ir::Subscript> TreeBuilder::take_subscripts() {
  auto from = subscripts_.begin() + static_cast<ptrdiff_t>(frame().subscripts);
  return {std::make_move_iterator(from), std::make_move_iterator(subscripts_.end())};
}
ir::Type TreeBuilder::take_type() {
  ir::Type t = std::move(types_.back());
  types_.pop_back();
  return t;
}
ir::ExprPtr TreeBuilder::pop_expr() {
  ir::ExprPtr e = std::move(exprs_.back());
  exprs_.pop_back();
  return e;
}

}  // namespace vr::text
