#include "parse_state.hpp"

#include <map>

namespace vr::matlab {

namespace {

// Binary operators by level, the loosest first. Ranges stand between comparisons and sums.
enum Level { kOrOr, kAndAnd, kOr, kAnd, kCompare, kRange, kSum, kProduct, kUnary };

Op binary_op(const std::string& s, int level) {
  static const std::map<std::string, std::pair<int, Op>> table = {
      {"||", {kOrOr, Op::OrOr}},        {"&&", {kAndAnd, Op::AndAnd}}, {"|", {kOr, Op::Or}},
      {"&", {kAnd, Op::And}},           {"<", {kCompare, Op::Lt}},     {"<=", {kCompare, Op::Le}},
      {">", {kCompare, Op::Gt}},        {">=", {kCompare, Op::Ge}},    {"==", {kCompare, Op::Eq}},
      {"!=", {kCompare, Op::Ne}},       {"~=", {kCompare, Op::Ne}},    {"+", {kSum, Op::Plus}},
      {"-", {kSum, Op::Minus}},         {"*", {kProduct, Op::Mtimes}}, {"/", {kProduct, Op::Mrdivide}},
      {"\\", {kProduct, Op::Mldivide}}, {".*", {kProduct, Op::Times}}, {"./", {kProduct, Op::Rdivide}},
      {".\\", {kProduct, Op::Ldivide}}};
  auto it = table.find(s);
  return it != table.end() && it->second.first == level ? it->second.second : Op::None;
}

Op power_op(const std::string& s) {
  if (s == "^" || s == "**") return Op::Mpower;
  if (s == ".^" || s == ".**") return Op::Power;
  return Op::None;
}

Op prefix_op(const std::string& s) {
  if (s == "-") return Op::Uminus;
  if (s == "+") return Op::Uplus;
  if (s == "!" || s == "~") return Op::Not;
  if (s == "++") return Op::Increment;
  if (s == "--") return Op::Decrement;
  return Op::None;
}

// Whether the ':' is the whole next subscript and no part of a range: A(1,:).
bool range_ends(const Parser& p) {
  const Token& t = p.peek(1);
  return t.kind == Tok::Punct && (t.text == ")" || t.text == ",");
}

}  // namespace

std::shared_ptr<Expr> Parser::node(ExprKind kind, Pos pos) {
  if (++nodes_ > 1000000) fail(pos, "the program is too long");
  auto e = std::make_shared<Expr>();
  e->kind = kind;
  e->pos = pos;
  return e;
}

ExprPtr Parser::make(ExprKind kind, Pos pos, Op op, std::vector<ExprPtr> args) {
  auto e = node(kind, pos);
  e->op = op;
  e->args = std::move(args);
  return e;
}

// An element of a matrix ends at white space when what follows can begin another: [a -b] has two, [a - b] and [a-b]
// one.
bool Parser::element_ends() const {
  const Token& t = peek();
  if (!in_matrix_ || !t.space_before) return false;
  switch (t.kind) {
    case Tok::Number:
    case Tok::String:
    case Tok::Name:
      return true;
    case Tok::Keyword:
      return t.text == "end";
    case Tok::Punct:
      if (t.text == "(" || t.text == "[" || t.text == "{" || t.text == "@") return true;
      if (t.text == "!" || t.text == "~" || t.text == "'") return true;
      return (t.text == "+" || t.text == "-") && !t.space_after;
    default:
      return false;
  }
}

ExprPtr Parser::expr() {
  Deeper deeper(*this);
  const Pos pos = peek().pos;
  ExprPtr e = binary(kOrOr);
  // a = b within an expression; not within brackets, where a matrix's elements stand.
  if (is("=") && !in_matrix_ && (e->kind == ExprKind::Name || e->kind == ExprKind::Index)) {
    next();
    e = make(ExprKind::Assign, pos, Op::None, {e, expr()});
  }
  return e;
}

ExprPtr Parser::binary(int level) {
  if (level == kRange) return range();
  if (level == kUnary) return unary();
  ExprPtr e = binary(level + 1);
  while (peek().kind == Tok::Punct && !element_ends()) {
    const Op op = binary_op(peek().text, level);
    if (op == Op::None) break;
    const Pos pos = next().pos;
    e = make(ExprKind::Binary, pos, op, {e, binary(level + 1)});
  }
  return e;
}

ExprPtr Parser::range() {
  const Pos pos = peek().pos;
  ExprPtr first = binary(kSum);
  if (!is(":") || range_ends(*this)) return first;
  next();
  ExprPtr second = binary(kSum);
  if (!is(":") || range_ends(*this)) return make(ExprKind::Range, pos, Op::None, {first, second});
  next();
  return make(ExprKind::Range, pos, Op::None, {first, second, binary(kSum)});
}

ExprPtr Parser::unary() {
  Deeper deeper(*this);
  if (peek().kind == Tok::Punct)
    if (Op op = prefix_op(peek().text); op != Op::None) {
      const Pos pos = next().pos;
      return make(ExprKind::Unary, pos, op, {unary()});
    }
  return power();
}

// Transposes and powers bind alike, from left to right: 2^x' is (2^x)', and -2^2 is -4.
ExprPtr Parser::power() {
  ExprPtr e = postfix();
  for (;;) {
    const Token& t = peek();
    if (t.kind != Tok::Punct || element_ends()) return e;
    if (t.text == "'" || t.text == ".'") {
      const Pos pos = next().pos;
      e = make(ExprKind::Postfix, pos, t.text == "'" ? Op::Ctranspose : Op::Transpose, {e});
    } else if (Op op = power_op(t.text); op != Op::None) {
      const Pos pos = next().pos;
      e = make(ExprKind::Binary, pos, op, {e, exponent()});
    } else {
      return e;
    }
  }
}

// 2^-1: an exponent may have signs.
ExprPtr Parser::exponent() {
  Deeper deeper(*this);
  if (peek().kind == Tok::Punct)
    if (Op op = prefix_op(peek().text); op != Op::None) {
      const Pos pos = next().pos;
      return make(ExprKind::Unary, pos, op, {exponent()});
    }
  return postfix();
}

std::vector<ExprPtr> Parser::arguments(const char* close) {
  std::vector<ExprPtr> list;
  const bool outer = std::exchange(in_matrix_, false);
  while (!is(close)) {
    const Token& t = peek();
    if (is(":") && (peek(1).text == close || peek(1).text == ",") && peek(1).kind == Tok::Punct) {
      next();
      list.push_back(node(ExprKind::Colon, t.pos));
    } else if ((is("~") || is("!")) && peek(1).kind == Tok::Punct && (peek(1).text == "," || peek(1).text == close)) {
      fail(t.pos, "'~' is no argument");
    } else {
      list.push_back(expr());
    }
    if (is(",")) {
      next();
      if (is(close)) fail(peek().pos, "an argument is missing");
    } else if (!is(close)) {
      unexpected(close);
    }
  }
  next();
  in_matrix_ = outer;
  return list;
}

ExprPtr Parser::postfix() {
  ExprPtr e = primary();
  for (;;) {
    const Token& t = peek();
    if (t.kind != Tok::Punct || (in_matrix_ && t.space_before)) return e;
    if (t.text == "(" || t.text == "{") {
      auto n = node(t.text == "(" ? ExprKind::Index : ExprKind::Brace, e->pos);
      next();
      n->args = arguments(t.text == "(" ? ")" : "}");
      n->args.insert(n->args.begin(), e);
      e = n;
    } else if (t.text == "." && (peek(1).kind == Tok::Name || (peek(1).kind == Tok::Punct && peek(1).text == "("))) {
      next();
      auto n = node(ExprKind::Field, e->pos);
      n->args = {e};
      if (peek().kind == Tok::Name) {
        n->text = next().text;
      } else {
        next();
        n->text = "()";
        n->args.push_back(arguments(")").front());
      }
      e = n;
    } else {
      return e;
    }
  }
}

ExprPtr Parser::primary() {
  const Token& t = peek();
  switch (t.kind) {
    case Tok::Number: {
      auto e = node(ExprKind::Number, t.pos);
      e->number = t.number;
      e->imaginary = t.imaginary;
      next();
      return e;
    }
    case Tok::String: {
      auto e = node(ExprKind::String, t.pos);
      e->text = t.text;
      e->double_quoted = t.double_quoted;
      next();
      return e;
    }
    case Tok::Name: {
      auto e = node(ExprKind::Name, t.pos);
      e->text = t.text;
      next();
      return e;
    }
    case Tok::Keyword:
      if (t.text == "end") {  // no block ends inside of brackets
        next();
        return node(ExprKind::End, t.pos);
      }
      break;
    case Tok::Punct:
      if (t.text == "(") {
        next();
        const bool outer = std::exchange(in_matrix_, false);
        ExprPtr e = expr();
        expect(")");
        in_matrix_ = outer;
        // f(x) and (f)(x) mean the same; but (a)' and [(a) b] end here.
        return e;
      }
      if (t.text == "[" || t.text == "{") return matrix();
      if (t.text == "@") return handle();
      break;
    default:
      break;
  }
  unexpected("an expression");
}

ExprPtr Parser::matrix() {
  const Token& open = next();
  auto e = node(open.text == "[" ? ExprKind::Matrix : ExprKind::Cell, open.pos);
  const char* close = open.text == "[" ? "]" : "}";
  const bool outer = std::exchange(in_matrix_, true);
  std::vector<ExprPtr> row;
  auto end_row = [&] {
    if (!row.empty()) e->rows.push_back(std::move(row));
    row.clear();
  };
  while (!is(close)) {
    const Token& t = peek();
    if (t.kind == Tok::End) unexpected(close);
    if (t.kind == Tok::Newline || is(";")) {
      end_row();
      next();
    } else if (is(",")) {
      if (row.empty()) fail(t.pos, "an element is missing before ','");
      next();
    } else {
      row.push_back(expr());
      const Token& after = peek();
      if (!is(close) && !is(",") && !is(";") && after.kind != Tok::Newline && !element_ends()) unexpected(close);
    }
  }
  end_row();
  next();
  in_matrix_ = outer;
  return e;
}

ExprPtr Parser::handle() {
  const Pos pos = next().pos;
  if (peek().kind == Tok::Name) {
    auto e = node(ExprKind::Handle, pos);
    e->text = next().text;
    return e;
  }
  expect("(");
  auto e = node(ExprKind::Lambda, pos);
  while (!is(")")) {
    if (is("~") || is("!")) {
      next();
      e->names.push_back("~");
    } else if (peek().kind == Tok::Name) {
      e->names.push_back(next().text);
    } else {
      unexpected("a parameter");
    }
    if (is(","))
      next();
    else if (!is(")"))
      unexpected(")");
  }
  next();
  const bool outer = std::exchange(in_matrix_, in_matrix_);
  e->args = {expr()};
  in_matrix_ = outer;
  return e;
}

}  // namespace vr::matlab
