// Expressions that look like calls.
#include "text/short/expr_reader.hpp"
#include "text/short/operators.hpp"
#include "text/short/short_types.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::text::brief {

using namespace ir;

std::vector<ExprPtr> ExprReader::arguments() {
  c_.expect("(", "before the arguments");
  std::vector<ExprPtr> list;
  int depth = 0;
  if (!c_.at(")")) {
    list = exprs();
    depth = depth_;
  }
  c_.expect(")", "after the arguments");
  c_.check_depth(depth_ = depth + 1);
  bare_range_ = nullptr;
  return list;
}

// float64(x): the type is that of a cast to the element type.
ExprPtr ExprReader::conversion() {
  const Token& head = c_.take();
  const Elem elem = *elem_named(head.text);
  std::vector<ExprPtr> args = arguments();
  if (args.size() != 1)
    throw Fault{head.pos, fmt::format("'{}' converts one value, but got {}", head.text, args.size()), ""};
  return made(std::make_shared<Cast>(Type::scalar(elem), std::move(args[0])), head.pos);
}

// cast(TYPE, x)
ExprPtr ExprReader::cast() {
  const TextPos pos = c_.take().pos;
  c_.expect("(", "after 'cast'");
  Type type = read_type(c_, fresh_layout(scope_.conventions()));
  c_.expect(",", "after the type");
  ExprPtr operand = expr();
  c_.expect(")", "after the operand");
  c_.check_depth(++depth_);
  bare_range_ = nullptr;
  return made(std::make_shared<Cast>(std::move(type), std::move(operand)), pos, true);
}

// Text before a stop: `<` means that the stop is excluded, `<=` that it is included.
std::optional<bool> ExprReader::stated_exclude() {
  if (!c_.at("<") && !c_.at("<=")) return {};
  return c_.take().text == "<";
}

// range(STOP), range(START, STOP), range(START, STOP, STEP), with parts by name, and exclude=
ExprPtr ExprReader::range() {
  const TextPos pos = c_.take().pos;
  c_.expect("(", "after 'range'");
  std::vector<ExprPtr> positional;
  ExprPtr start, step, stop;
  std::optional<bool> exclude, marked;
  size_t marked_part = 1;
  int depth = 0;
  while (!c_.at(")")) {
    const Token& key = c_.token();
    const bool keyed = key.kind == TokenKind::Word && c_.at("=", 1);
    if (keyed && key.text == "exclude") {
      c_.take(), c_.take();
      if (exclude) throw Fault{key.pos, "'exclude' is given twice", ""};
      if (!c_.at("true") && !c_.at("false")) c_.unexpected("true or false");
      exclude = c_.take().text == "true";
    } else if (keyed) {
      ExprPtr* part = key.text == "start" ? &start : key.text == "step" ? &step : key.text == "stop" ? &stop : nullptr;
      if (!part)
        throw Fault{key.pos, fmt::format("'range' has no part '{}'", key.text),
                    "its parts are start, stop, step and exclude"};
      c_.take(), c_.take();
      if (*part) throw Fault{key.pos, fmt::format("'{}' is given twice", key.text), ""};
      if (part == &stop) exclude = stated_exclude();
      *part = expr();
      depth = std::max(depth, depth_);
    } else {
      if (positional.size() == 3 || start || step || stop || exclude)
        throw Fault{key.pos, "an operand of 'range' too many, or after a named one", ""};
      if (auto mark = stated_exclude()) {
        if (marked || positional.size() == 2)
          throw Fault{key.pos, fmt::format("{} goes before the stop of a range", shown(key)), ""};
        marked = mark;
        marked_part = positional.size();
      }
      positional.push_back(expr());
      depth = std::max(depth, depth_);
    }
    if (!c_.accept(",")) break;
  }
  c_.expect(")", "after the operands of 'range'");
  c_.check_depth(depth_ = depth + 1);
  if (marked) {
    if (marked_part != (positional.size() == 1 ? 0u : 1u))
      throw Fault{pos, "'<' or '<=' goes before the stop of a range", ""};
    if (exclude) throw Fault{pos, "'exclude' is given twice", ""};
    exclude = marked;
  }
  auto place = [&](ExprPtr& part, size_t k) {
    if (part) throw Fault{pos, "a part of 'range' is given twice", ""};
    part = std::move(positional[k]);
  };
  if (positional.size() == 1) place(stop, 0);
  if (positional.size() > 1) place(start, 0), place(stop, 1);
  if (positional.size() > 2) place(step, 2);
  ExprPtr made_range =
      made(std::make_shared<Range>(Type(), exclude, std::move(start), std::move(step), std::move(stop)), pos);
  bare_range_ = made_range.get();
  return made_range;
}

// complex(RE, IM): a constant if both are floats without a suffix.
ExprPtr ExprReader::complex() {
  const TextPos pos = c_.take().pos;
  const size_t from = c_.place();
  if (c_.accept("(")) {
    const auto re = plain_float();
    if (re && c_.accept(",")) {
      const auto im = plain_float();
      if (im && c_.accept(")")) return made(std::make_shared<ComplexConst>(Type(), *re, *im), pos);
    }
  }
  c_.go_to(from);
  std::vector<ExprPtr> args = arguments();
  if (args.size() != 2) throw Fault{pos, fmt::format("'complex' takes 2 arguments, but got {}", args.size()), ""};
  return made(std::make_shared<ComplexExpr>(Type(), std::move(args[0]), std::move(args[1])), pos);
}

// zeros(n, m), zeros(int64, n, m)
ExprPtr ExprReader::alloc(AllocFunc func) {
  const TextPos pos = c_.take().pos;
  Type type;
  const bool wide = c_.at("(") && c_.at("complex", 1) && c_.is(TokenKind::Word, 2);
  if (c_.at("(") && (wide || (c_.is(TokenKind::Word, 1) && elem_named(c_.token(1).text) && !c_.at("(", 2)))) {
    c_.take();
    type = read_type(c_, fresh_layout(scope_.conventions()));
    if (!c_.accept(",") && !c_.at(")")) c_.unexpected("',' after the type");
    std::vector<ExprPtr> args;
    depth_ = 0;
    if (!c_.at(")")) args = exprs();
    c_.expect(")", "after the extents");
    c_.check_depth(++depth_);
    bare_range_ = nullptr;
    return made(std::make_shared<Alloc>(std::move(type), func, std::move(args)), pos);
  }
  return made(std::make_shared<Alloc>(Type(), func, arguments()), pos);
}

// atomic.add(x[i], value)
ExprPtr ExprReader::atomic() {
  const TextPos pos = c_.take().pos;
  c_.expect(".", "after 'atomic'");
  const auto op = std::find_if(std::begin(atomic_ops), std::end(atomic_ops), [&](auto name) { return c_.at(name); });
  if (op == std::end(atomic_ops)) c_.unexpected("an atomic operation (cas, add, sub, min, max, and, or, swap)");
  c_.take();
  c_.expect("(", "after the operation");
  const SymbolId array = variable();
  std::vector<Subscript> list = subscripts();
  c_.expect("]", "after the subscripts");
  int depth = depth_;
  std::vector<ExprPtr> args;
  if (c_.accept(",")) {
    args = exprs();
    depth = std::max(depth, depth_);
  }
  c_.expect(")", "after the arguments");
  c_.check_depth(depth_ = depth + 1);
  bare_range_ = nullptr;
  return made(std::make_shared<Xchange>(Type(), static_cast<AtomicOp>(op - atomic_ops), array, std::move(list),
                                        std::move(args)),
              pos);
}

ExprPtr ExprReader::call(bool library, std::string name, TextPos pos) {
  std::vector<ExprPtr> args = arguments();
  if (library) return made(std::make_shared<LibCall>(Type(), std::move(name), std::move(args)), pos);
  return made(std::make_shared<FnCall>(Type(), std::move(name), std::move(args)), pos);
}

}  // namespace vr::text::brief
