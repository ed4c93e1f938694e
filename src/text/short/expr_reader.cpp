#include "text/short/expr_reader.hpp"

#include "ir/library.hpp"
#include "text/short/operators.hpp"
#include "text/short/short_types.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::text::brief {

using namespace ir;

namespace {
const Operator* operator_at(const Cursor& c) {
  for (const Operator& o : operators)
    if (c.at(o.text)) return &o;
  return nullptr;
}
}  // namespace

ExprPtr ExprReader::expr(int precedence) {
  Cursor::Level level(c_);
  ExprPtr left = unary(precedence);
  int depth = depth_;
  for (const Operator* o; (o = operator_at(c_)) && o->precedence >= precedence;) {
    const TextPos pos = c_.take().pos;
    ExprPtr right = expr(o->precedence + 1);
    depth = std::max(depth, depth_) + 1;
    c_.check_depth(depth);
    left = binary(o->kind, std::move(left), std::move(right), pos);
    if (o->precedence != comparison) continue;
    if (const Operator* next = operator_at(c_); next && next->precedence == comparison)
      throw Fault{c_.token().pos, fmt::format("'{}' after another comparison", next->text),
                  "put parentheses around one of them, or write 'and'"};
  }
  depth_ = depth;
  return left;
}

std::vector<ExprPtr> ExprReader::exprs() {
  std::vector<ExprPtr> list;
  int depth = 0;
  do {
    list.push_back(expr());
    depth = std::max(depth, depth_);
  } while (c_.accept(","));
  depth_ = depth;
  return list;
}

ExprPtr ExprReader::binary(Kind kind, ExprPtr lhs, ExprPtr rhs, TextPos pos) {
  switch (kind) {
#define VR_BINARY(K) \
  case Kind::K:      \
    return made(std::make_shared<K>(Type(), std::move(lhs), std::move(rhs)), pos);
    VR_BINARY(Plus)
    VR_BINARY(Minus)
    VR_BINARY(Mult)
    VR_BINARY(Div)
    VR_BINARY(Lt)
    VR_BINARY(Leq)
    VR_BINARY(Gt)
    VR_BINARY(Geq)
    VR_BINARY(Eq)
    VR_BINARY(Neq)
    VR_BINARY(And)
    VR_BINARY(Or)
#undef VR_BINARY
    default:
      return lhs;
  }
}

ExprPtr ExprReader::unary(int precedence) {
  const TextPos pos = c_.token().pos;
  bare_range_ = nullptr;
  const bool negation = precedence <= not_ && c_.at("not");
  if (!negation && (!c_.at("-") || at_number())) return primary();
  c_.take();
  ExprPtr operand = expr(negation ? not_ : sign);
  c_.check_depth(++depth_);
  bare_range_ = nullptr;
  if (negation) return made(std::make_shared<Not>(Type(), std::move(operand)), pos);
  return made(std::make_shared<Negate>(Type(), std::move(operand)), pos);
}

ExprPtr ExprReader::primary() {
  depth_ = 1;
  if (at_number()) return number();
  if (c_.at("(")) return parenthesised();
  if (c_.at("&")) {
    const TextPos pos = c_.take().pos;
    return made(std::make_shared<FnHandle>(Type(), c_.name("the name of a function")), pos);
  }
  if (c_.is_name() || c_.at("#")) return named();
  if (c_.is(TokenKind::Word)) return keyword();
  c_.unexpected("an expression");
}

// (EXPR) or (EXPR : TYPE). The node below has no other reference yet.
ExprPtr ExprReader::parenthesised() {
  c_.take();
  large_allowed_ = c_.is(TokenKind::Int) && c_.at(":", 1);
  ExprPtr e = expr();
  bare_range_ = nullptr;
  if (c_.accept(":")) {
    const TextPos pos = c_.token().pos;
    Type type = read_type(c_, fresh_layout(scope_.conventions()));
    if (large_ == e.get() && !(type.is_numeric() && type.elem == Elem::UInt64))
      throw Fault{pos, fmt::format("the integer does not fit into {}", type.text()), ""};
    large_ = nullptr;
    const_cast<Expr&>(*e).type = std::move(type);
  }
  c_.expect(")", "after the expression");
  return e;
}

ExprPtr ExprReader::keyword() {
  const TextPos pos = c_.token().pos;
  if (c_.at("range")) return range();
  if (c_.at("complex")) return complex();
  if (c_.at("cast")) return cast();
  if (c_.at("atomic")) return atomic();
  for (size_t k = 0; k < std::size(alloc_names); ++k)
    if (c_.at(alloc_names[k])) return alloc(static_cast<AllocFunc>(k));
  if (c_.at("true") || c_.at("false"))
    return made(std::make_shared<IntConst>(Type::scalar(Elem::Bool), c_.take().text == "true"), pos, true);
  if (elem_named(c_.token().text)) return conversion();
  if (c_.accept("domain")) return made(std::make_shared<Domain>(Type(), arguments()), pos);
  if (c_.accept("tuple")) return made(std::make_shared<TupleExpr>(Type(), arguments()), pos);
  if (c_.at("lib") || c_.at("fn")) {
    const bool library = c_.take().text == "lib";
    c_.expect(".", "before the name of the function");
    const bool keyword = c_.is(TokenKind::Word);
    std::string name = keyword ? std::string(c_.take().text) : c_.name("the name of a function");
    return call(library, std::move(name), pos);
  }
  c_.unexpected("an expression");
}

ExprPtr ExprReader::named() {
  const TextPos pos = c_.token().pos;
  if (c_.is_name() && c_.at("(", 1)) {
    std::string name = c_.name("a function");
    const bool library = !scope_.is_function(name) && find_library(name);
    return call(library, std::move(name), pos);
  }
  const SymbolId id = variable();
  if (c_.at("[")) return index(id, pos);
  if (c_.at(".")) return member(id, pos);
  return made(std::make_shared<Name>(Type(), id), pos);
}

}  // namespace vr::text::brief
