#include "loop/text/print_exprs.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vr::lower {

namespace {

std::string float_text(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  std::string s = fmt::format("{}", v);
  return s.find_first_of(".e") == std::string::npos ? s + ".0" : s;
}

// Precedence of expressions in the text; an operand of lower precedence gets parentheses.
enum Precedence { Choice, Or, And, Compare, Sum, Multiply, Prefix, Atom };

Precedence precedence(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::Select:
      return Choice;
    case Expr::Kind::Unary:
      return Prefix;
    case Expr::Kind::Offset:
      return Sum;
    case Expr::Kind::Binary:
      switch (e.op) {
        case Op::Add:
        case Op::Sub:
          return Sum;
        case Op::Mul:
        case Op::Div:
        case Op::Rem:
        case Op::Shl:
        case Op::Shr:
          return Multiply;
        case Op::And:
          return And;
        case Op::Or:
        case Op::Xor:
          return Or;
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Gt:
        case Op::Ge:
          return Compare;
        case Op::Neg:
        case Op::Not:
          return Prefix;
        case Op::Popcount:
          return Atom;
      }
      return Atom;
    case Expr::Kind::IntConst:
      return e.ival < 0 ? Prefix : Atom;
    case Expr::Kind::FloatConst:
      return std::signbit(e.fval) ? Prefix : Atom;
    case Expr::Kind::Null:
    case Expr::Kind::Var:
    case Expr::Kind::Convert:
    case Expr::Kind::Math:
    case Expr::Kind::Load:
    case Expr::Kind::At:
    case Expr::Kind::Aligned:
      return Atom;
  }
  return Atom;
}

}  // namespace

std::string ExprPrinter::expr(ExprP e) const { return expr(e, Choice); }

std::string ExprPrinter::expr(ExprP e, int at_least) const {
  if (!e) return "<missing>";
  std::string s = bare(*e);
  return precedence(*e) < at_least ? "(" + s + ")" : s;
}

std::string ExprPrinter::bare(const Expr& e) const {
  switch (e.kind) {
    case Expr::Kind::IntConst:
      if (e.type == Scalar::Bool) return e.ival ? "true" : "false";
      if (e.type == Scalar::Int64) return std::to_string(e.ival);
      return ir::with_integer(e.ival, elem_of(e.type),
                              [&](auto v) { return fmt::format("{}:{}", v, scalar_name(e.type)); });
    case Expr::Kind::FloatConst:
      return float_text(e.fval) + (e.type == Scalar::Float64 ? "" : fmt::format(":{}", scalar_name(e.type)));
    case Expr::Kind::Null:
      return "null";
    case Expr::Kind::Var:
      return names_.var(e.var);
    case Expr::Kind::Unary:
      if (e.op == Op::Popcount) return fmt::format("popcount({})", expr(e.a, Choice));
      return op_name(e.op) + expr(e.a, Prefix + 1);
    case Expr::Kind::Binary: {
      // Left-associative: a - b - c has no parentheses, a - (b - c) has.
      int p = precedence(e);
      const std::string text =
          fmt::format("{} {} {}", expr(e.a, p == Compare ? p + 1 : p), op_name(e.op), expr(e.b, p + 1));
      return complete_ && e.any_order ? "any(" + text + ")" : text;
    }
    case Expr::Kind::Select:
      if (complete_ && e.any_order)
        return fmt::format("any({} ? {} : {})", expr(e.a, Choice + 1), expr(e.b, Choice + 1), expr(e.c, Choice + 1));
      return fmt::format("{} ? {} : {}", expr(e.a, Choice + 1), expr(e.b, Choice + 1), expr(e.c, Choice + 1));
    case Expr::Kind::Convert:
      return fmt::format("{}({})", scalar_name(e.type), expr(e.a, Choice));
    case Expr::Kind::Math:
      return fmt::format("{}({}{})", math_name(e.fn), expr(e.a), math_arity(e.fn) == 2 ? ", " + expr(e.b) : "");
    case Expr::Kind::Load:
      return scalar_name(e.type) + place(e.a, e.b, e.alias_set);
    case Expr::Kind::Offset:
      return address(e.a, e.b);
    case Expr::Kind::At:
      return "at(" + subscripts(e) + ")";
    case Expr::Kind::Aligned:
      return fmt::format("aligned({},{})", e.ival, (e.b && e.b->kind == Expr::Kind::At ? "" : " ") + place(e.a, e.b));
  }
  return "?";
}

std::string ExprPrinter::subscripts(const Expr& at, ArrayId of) const {
  std::string s;
  size_t axis = 0;
  for (ExprP e = &at; e; e = e->c, ++axis) {
    s += (s.empty() ? "" : ", ") + expr(e->a);
    const ArrayVars* a = of == none ? nullptr : &f_.arrays[static_cast<size_t>(of)];
    if (a && axis < a->stride.size() && e->b->kind == Expr::Kind::Var && e->b->var == a->stride[axis]) continue;
    s += " by " + expr(e->b, Prefix);
  }
  return at.ival ? fmt::format("{} part {}", s, at.ival) : s;
}

ArrayId ExprPrinter::array_at(ExprP base) const {
  for (size_t a = 0; base && base->kind == Expr::Kind::Var && a < f_.arrays.size(); ++a)
    if (f_.arrays[a].data == base->var) return static_cast<ArrayId>(a);
  return none;
}

std::string ExprPrinter::place(ExprP base, ExprP offset, int32_t alias_set) const {
  const std::string set = alias_set >= 0 ? fmt::format("@{}", alias_set) : "";
  if (!offset || offset->kind != Expr::Kind::At) return "[" + address(base, offset) + "]" + set;
  const ArrayId a = array_at(base);
  return fmt::format(" {}[{}]{}", a == none ? expr(base, Atom) : names_.array(a), subscripts(*offset, a), set);
}

std::string ExprPrinter::address(ExprP base, ExprP offset) const {
  if (offset && offset->kind == Expr::Kind::IntConst && offset->ival == 0) return expr(base, Sum);
  return expr(base, Sum) + " + " + expr(offset, Sum);
}

}  // namespace vr::lower
