#include "loop/text/parse_exprs.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <limits>

namespace vr::lower {

ExprP ExprParser::expr() {
  ExprP e = binary(0);
  if (!in_.accept("?")) return e;
  Expr n{Expr::Kind::Select, Scalar::Bool};
  n.a = e;
  n.b = binary(0);
  in_.expect(":");
  n.c = binary(0);
  n.type = n.b->type;
  return x_.make(n);
}

ExprP ExprParser::binary(size_t level) {
  static constexpr Op levels[][6] = {{Op::Or, Op::Xor, Op::Or, Op::Or, Op::Or, Op::Or},
                                     {Op::And, Op::And, Op::And, Op::And, Op::And, Op::And},
                                     {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge},
                                     {Op::Add, Op::Sub, Op::Add, Op::Add, Op::Add, Op::Add},
                                     {Op::Mul, Op::Div, Op::Rem, Op::Shl, Op::Shr, Op::Mul}};
  if (level == std::size(levels)) return prefix();
  ExprP e = binary(level + 1);
  for (bool again = true; again;) {
    again = false;
    for (Op op : levels[level]) {
      if (!in_.accept(op_name(op))) continue;
      ExprP right = binary(level + 1);
      const bool address = e->type == Scalar::Ptr && op == Op::Add;
      Expr n{address ? Expr::Kind::Offset : Expr::Kind::Binary, is_comparison(op) ? Scalar::Bool : e->type};
      n.op = op;
      n.a = e;
      n.b = right;
      e = x_.make(n);
      again = true;
      break;
    }
  }
  return e;
}

ExprP ExprParser::prefix() {
  const bool minus = in_.is("-");
  if (!minus && !in_.is("!")) return atom();
  in_.take();
  if (minus && (in_.is_number() || in_.is("inf"))) return number(true);
  Expr n{Expr::Kind::Unary, Scalar::Bool};
  n.op = minus ? Op::Neg : Op::Not;
  n.a = prefix();
  n.type = n.a->type;
  return x_.make(n);
}

ExprP ExprParser::number(bool negative) {
  Expr n{Expr::Kind::IntConst, Scalar::Int64};
  int64_t bits = 0;
  if (in_.is("inf") || in_.is("nan")) {
    n.kind = Expr::Kind::FloatConst;
    n.type = Scalar::Float64;
    n.fval = in_.is("nan") ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    in_.take();
  } else {
    const std::string word = in_.take();
    if (word.find_first_of(".e") == std::string::npos) {
      errno = 0;
      n.ival = std::strtoll((negative ? "-" + word : word).c_str(), nullptr, 10);
      if (errno && !negative) {  // the upper half of u64
        errno = 0;
        bits = n.ival = static_cast<int64_t>(std::strtoull(word.c_str(), nullptr, 10));
      }
      if (errno) in_.was_wrong("a number of more than 64 bits");
    } else {
      n.kind = Expr::Kind::FloatConst;
      n.type = Scalar::Float64;
      n.fval = std::strtod(word.c_str(), nullptr);
    }
  }
  if (negative && n.kind == Expr::Kind::FloatConst) n.fval = -n.fval;
  if (in_.is(":") && in_.touches()) {
    in_.take();
    n.type = scalar(in_);
    if (n.kind == Expr::Kind::IntConst && !is_float(n.type) && n.type != Scalar::Ptr) n.ival = ir::wrap(n.ival, elem_of(n.type));
    if (is_float(n.type) != (n.kind == Expr::Kind::FloatConst)) in_.wrong("a constant of another type");
  }
  if (bits && n.type != Scalar::UInt64) in_.was_wrong("a number of more than 64 bits");
  return x_.make(n);
}

ExprP ExprParser::atom() {
  if (in_.is_number() || in_.is("inf") || in_.is("nan")) return number(false);
  if (in_.accept("(")) {
    ExprP e = expr();
    in_.expect(")");
    return e;
  }
  if (in_.is("true") || in_.is("false")) return x_.bool_const(in_.take() == "true");
  if (in_.accept("null")) return x_.null();
  if (auto type = scalar_named(in_)) {
    in_.take();
    if (!in_.accept("(")) {
      const ParsedPlace p = place();
      return x_.load(*type, p.base, p.offset, p.alias_set);
    }
    Expr n{Expr::Kind::Convert, *type};
    n.a = expr();
    in_.expect(")");
    if (n.a->type != Scalar::Ptr) return x_.make(n);
    const ParsedPlace p = element_at(n.a);
    return x_.load(*type, p.base, p.offset, p.alias_set);
  }
  if (in_.is_call()) return call();
  const VarId v = names_.var();
  return x_.var(v, names_.of(v).type);
}
/// at(...), any(...), popcount(...), a maths function.

ExprP ExprParser::call() {
  const std::string name = in_.name();
  in_.expect("(");
  if (name == "at") {
    return subscripts(none, ")");
  }
  if (name == "aligned") {
    Expr n{Expr::Kind::Aligned, Scalar::Bool};
    n.ival = in_.integer();
    in_.expect(",");
    const ParsedPlace p = place();
    in_.expect(")");
    n.a = p.base, n.b = p.offset;
    return x_.make(n);
  }
  ExprP a = expr();
  if (name == "any" || name == "popcount") {
    in_.expect(")");
    if (name == "any") return x_.any_order(a);
    Expr n{Expr::Kind::Unary, a->type};
    n.op = Op::Popcount;
    n.a = a;
    return x_.make(n);
  }
  for (int k = 0; k < math_count; ++k) {
    const auto fn = static_cast<MathFn>(k);
    if (name != math_name(fn)) continue;
    ExprP b = nullptr;
    if (math_arity(fn) == 2) in_.expect(","), b = expr();
    in_.expect(")");
    return x_.math(fn, a, b);
  }
  in_.was_wrong(fmt::format("'{}' is no maths function", name));
}
/// The subscripts of an array (none: of an address) up to `close`.

ExprP ExprParser::subscripts(ArrayId of, std::string_view close) {
  std::vector<ExprP> index, stride;
  int64_t bytes = 0;
  while (!in_.accept(close)) {
    if (!index.empty()) in_.expect(",");
    index.push_back(expr());
    if (in_.accept("by")) {
      stride.push_back(binary(5));
    } else {
      const size_t axis = stride.size();
      if (of == none || axis >= names_.of_array(of).stride.size()) in_.wrong("a stride is expected: 'by BYTES'");
      stride.push_back(x_.var(names_.of_array(of).stride[axis], Scalar::Int64));
    }
    if (in_.accept("part")) bytes = in_.integer();
  }
  if (index.empty()) in_.was_wrong("a subscript is expected");
  return x_.part(x_.at(index, stride), bytes);
}
ParsedPlace ExprParser::place() {
  if (in_.accept("[")) {
    ExprP address = expr();
    in_.expect("]");
    const bool sum = address->kind == Expr::Kind::Offset;
    return in_set({sum ? address->a : address, sum ? address->b : x_.int_const(0)});
  }
  if (in_.accept("(")) {
    ExprP base = expr();
    in_.expect(")");
    return element_at(base);
  }
  const Operand o = names_.operand_named({in_.name()});
  const VarId base = o.array == none ? o.var : names_.of_array(o.array).data;
  return element_at(x_.var(base, names_.of(base).type), o.array);
}

ParsedPlace ExprParser::element_at(ExprP base, ArrayId of) {
  in_.expect("[");
  return in_set({base, subscripts(of, "]")});
}

ParsedPlace ExprParser::in_set(ParsedPlace p) {
  if (in_.accept("@")) p.alias_set = static_cast<int32_t>(in_.integer());
  return p;
}

}  // namespace vr::lower
